import { z } from 'zod';
import { USD_DECIMALS, toJsonNumber } from '../money';
import type { StatementRow } from './statement-row';

/**
 * A row as the answer lists it. The Merkle tree of a statement is over these objects as they stand, in
 * canonical JSON: a field that is added or renamed makes other leaves. Rows that were stated before a field
 * was added are presented without it.
 */
export const statementItem = z.strictObject({
  tx_signature: z.string(),
  /** Which leg of the transaction. Statements of before legs were listed have no such field. */
  leg: z.number().int().nonnegative().optional(),
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
  /** What the payer sent for it, and what the token withheld; they came with `leg`. */
  amount_sent_raw: z.string().optional(),
  fee_withheld_raw: z.string().optional(),
  usd_amount: z.number(),
  usd_amount_raw: z.string(),
  valuation: z.string(),
  receipt_id: z.string().nullable(),
});
export type StatementItem = z.infer<typeof statementItem>;

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
