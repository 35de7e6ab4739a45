import { z } from 'zod';
import { USD_DECIMALS, toJsonNumber } from '@/server/money';
import type { StatementRow } from './statement-row';

/**
 * A row as the answer lists it. The Merkle tree of a statement is over these objects as they stand, in
 * canonical JSON: a field that is added or renamed makes other leaves.
 */
export const statementItem = z.strictObject({
  tx_signature: z.string(),
  block_time: z.iso.datetime(),
  slot: z.number().int(),
  role: z.enum(['payer', 'seller']),
  counterparty: z.string(),
  token: z.string(),
  mint: z.string().nullable(),
  dtif_code: z.string().nullable(),
  amount: z.number(),
  amount_raw: z.string(),
  decimals: z.number().int(),
  usd_amount: z.number(),
  usd_amount_raw: z.string(),
  valuation: z.string(),
  receipt_id: z.string().nullable(),
});
export type StatementItem = z.infer<typeof statementItem>;

export function presentRow(row: StatementRow): StatementItem {
  return {
    tx_signature: row.txSignature,
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
    usd_amount: toJsonNumber(row.usdMicros, USD_DECIMALS),
    usd_amount_raw: row.usdMicros.toString(),
    valuation: row.valuation,
    receipt_id: row.receiptId,
  };
}
