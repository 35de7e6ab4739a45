import { z } from 'zod';
import { toJsonNumber, USD_DECIMALS } from '../money';
import { RECEIPT_ID } from '../receipts/ids';

/**
 * One leg of a payment in a statement, seen from its wallet. Amounts are base units of the token.
 */
export type StatementRow = {
  txSignature: string;
  /**
   * Number of the leg in the transaction; null in an older statement, which had one row for each
   * transaction.
   */
  leg: number | null;
  slot: bigint;
  blockTime: Date;
  role: 'payer' | 'seller';
  counterparty: string;
  /** Null for native SOL. */
  mint: string | null;
  token: string;
  dtifCode: string | null;
  decimals: number;
  /** The amount that the receiver of the leg got. */
  amountRaw: bigint;
  amountSentRaw: bigint;
  feeWithheldRaw: bigint;
  usdMicros: bigint;
  valuation: string;
  /** Receipt of the transaction when the statement was made, with its labels. */
  receiptId: string | null;
  labels: RowLabels;
};

export type RowLabels = {
  serviceType: string | null;
  transactionType: string | null;
  invoiceId: string | null;
  metadataUri: string | null;
};

export const NO_LABELS: RowLabels = {
  serviceType: null,
  transactionType: null,
  invoiceId: null,
  metadataUri: null,
};

type Summed = Pick<
  StatementRow,
  'txSignature' | 'role' | 'token' | 'mint' | 'decimals' | 'amountRaw' | 'usdMicros'
>;

/** The amounts that a wallet paid and was paid in one token, in base units. */
export type TokenTotal = {
  token: string;
  mint: string | null;
  decimals: number;
  asPayer: bigint;
  asSeller: bigint;
};

export type Totals = {
  /** Transactions, each once: the basis of the price. */
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

/** Base units as text. */
const units = z.string().regex(/^(?:0|[1-9]\d{0,38})$/);

/**
 * A row in the form of the answer. The Merkle tree of a statement is over these objects in
 * canonical JSON: a field that is added or renamed makes other leaves. Rows from before a field was
 * added are presented without it.
 */
export const statementItem = z.strictObject({
  tx_signature: z.string(),
  /**
   * Number of the leg in the transaction. Statements from before legs were listed have no such
   * field.
   */
  leg: z.number().int().nonnegative().optional(),
  block_time: z.iso.datetime(),
  slot: z.number().int().nonnegative(),
  role: z.enum(['payer', 'seller']),
  counterparty: z.string(),
  token: z.string(),
  mint: z.string().nullable(),
  dtif_code: z.string().nullable(),
  amount: z.number(),
  amount_raw: units,
  decimals: z.number().int().min(0).max(255),
  /**
   * The amount that the payer sent for it, and the amount that the token withheld; they came with
   * `leg`.
   */
  amount_sent_raw: units.optional(),
  fee_withheld_raw: units.optional(),
  usd_amount: z.number(),
  usd_amount_raw: units,
  valuation: z.string(),
  receipt_id: z.string().regex(RECEIPT_ID).nullable(),
});
export type StatementItem = z.infer<typeof statementItem>;

/** Exact sums over rows in the form of the answer. */
export function totalsOf(rows: readonly StatementItem[]): Totals {
  return sumRows(
    rows.map((row) => ({
      txSignature: row.tx_signature,
      role: row.role,
      token: row.token,
      mint: row.mint,
      decimals: row.decimals,
      amountRaw: BigInt(row.amount_raw),
      usdMicros: BigInt(row.usd_amount_raw),
    })),
  );
}

export function presentRow(row: StatementRow): StatementItem {
  return {
    tx_signature: row.txSignature,
    ...(row.leg === null ? {} : { leg: row.leg }),
    block_time: row.blockTime.toISOString(),
    slot: Number(row.slot),
    role: row.role,
    counterparty: row.counterparty,
    token: row.token,
    mint: row.mint,
    dtif_code: row.dtifCode,
    amount: toJsonNumber(row.amountRaw, row.decimals),
    amount_raw: row.amountRaw.toString(),
    decimals: row.decimals,
    ...(row.leg === null ? {} : sentOf(row)),
    usd_amount: toJsonNumber(row.usdMicros, USD_DECIMALS),
    usd_amount_raw: row.usdMicros.toString(),
    valuation: row.valuation,
    receipt_id: row.receiptId,
  };
}

function sentOf(row: StatementRow) {
  return {
    amount_sent_raw: row.amountSentRaw.toString(),
    fee_withheld_raw: row.feeWithheldRaw.toString(),
  };
}
