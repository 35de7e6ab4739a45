import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { NO_LABELS, type StatementRow } from '@quittance/verify/statements/statement-rows';

const WALLET = '7uS8y1Qd4nWm6pZzT3oZkF9cGq5vLxRbXH2eJtNa9kV3';
const OTHER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
export { OTHER, WALLET };

/** A signature for a name: 64 bytes that are always the same. */
export const signatureOf = (name: string): string =>
  bs58.encode(createHash('sha512').update(name).digest());

/** A row of a statement of {@link WALLET}, with what a test changes. */
export function makeRow(n: number, changes: Partial<StatementRow> = {}): StatementRow {
  return {
    txSignature: signatureOf(`row ${n}`),
    leg: 0,
    slot: 300_000_000n + BigInt(n),
    blockTime: new Date(Date.UTC(2026, 0, 1, 0, 0, n)),
    role: n % 2 === 0 ? 'payer' : 'seller',
    counterparty: OTHER,
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    token: 'USDC',
    dtifCode: '8M5SZ2T8M',
    decimals: 6,
    amountRaw: 1_000_000n + BigInt(n),
    amountSentRaw: 1_000_000n + BigInt(n),
    feeWithheldRaw: 0n,
    usdMicros: 1_000_000n + BigInt(n),
    valuation: 'par',
    receiptId: null,
    labels: NO_LABELS,
    ...changes,
  };
}

export const makeRows = (count: number): StatementRow[] =>
  Array.from({ length: count }, (_, n) => makeRow(n));
