import type { StatementRow } from './statement-row';

type Summed = Pick<
  StatementRow,
  'txSignature' | 'role' | 'token' | 'mint' | 'decimals' | 'amountRaw' | 'usdMicros'
>;

/** What a wallet paid and was paid in one token, in base units. */
export type TokenTotal = {
  token: string;
  mint: string | null;
  decimals: number;
  asPayer: bigint;
  asSeller: bigint;
};

export type Totals = {
  /** Transactions, each once: what the price goes by. */
  txCount: number;
  rowCount: number;
  asPayerMicros: bigint;
  asSellerMicros: bigint;
  /** Both together: turnover, not a balance. */
  totalMicros: bigint;
  /** In alphabetical order of the symbols, which are one to a mint. */
  tokens: TokenTotal[];
};

/** Exact sums over rows. */
export function sumRows(rows: readonly Summed[]): Totals {
  const tokens = new Map<string, TokenTotal>();
  let asPayerMicros = 0n;
  let asSellerMicros = 0n;
  for (const { role, token, mint, decimals, amountRaw, usdMicros } of rows) {
    const total = tokens.get(token) ?? { token, mint, decimals, asPayer: 0n, asSeller: 0n };
    tokens.set(token, total);
    if (role === 'payer') {
      total.asPayer += amountRaw;
      asPayerMicros += usdMicros;
    } else {
      total.asSeller += amountRaw;
      asSellerMicros += usdMicros;
    }
  }
  return {
    txCount: new Set(rows.map(({ txSignature }) => txSignature)).size,
    rowCount: rows.length,
    asPayerMicros,
    asSellerMicros,
    totalMicros: asPayerMicros + asSellerMicros,
    tokens: [...tokens.values()].sort((a, b) => (a.token < b.token ? -1 : 1)),
  };
}
