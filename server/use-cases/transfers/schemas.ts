import { z } from 'zod';
import { EXPORT_FORMATS } from '@/server/exports/export-format';
import type { ExportFormatName } from '@/server/exports/export-receipts';
import { trusted } from '@/server/trusted';
import { walletAddress } from '../receipts/schemas';

/** A day of the calendar. The text of zod's own message names a regular expression. */
const day = z.iso.date('must be a date like 2026-01-31').optional();

export const listTransfersInput = z
  .strictObject({
    address: walletAddress,
    counterparty: walletAddress,
    period_start: day,
    period_end: day,
  })
  .refine(({ address, counterparty }) => address !== counterparty, {
    path: ['counterparty'],
    message: 'must be another wallet than the one in the path',
  });
export type ListTransfersInput = z.output<typeof listTransfersInput>;

const transferItem = z.object({
  tx_signature: z.string(),
  amount: z.number(),
  amount_raw: z.string(),
  block_time: z.iso.datetime(),
  slot: z.number().int(),
  status: z.enum(['settled', 'pending']),
  receipt_id: z.string().nullable(),
});
export type TransferItem = z.infer<typeof transferItem>;

const direction = z.object({
  count: z.number().int(),
  total_usdc: z.number(),
  total_usdc_raw: z.string(),
  transfers: z.array(transferItem),
});

export const listTransfersBody = z.object({
  success: z.literal(true),
  wallet: z.string(),
  counterparty: z.string(),
  period_start: z.iso.date(),
  period_end: z.iso.date(),
  complete: z.boolean(),
  sent: direction,
  received: direction.describe('Transfers from the counterparty to the wallet of the path.'),
});
export type ListTransfersBody = z.infer<typeof listTransfersBody>;

const FORMATS = Object.keys(EXPORT_FORMATS).join(', ');
const formatNames = trusted<ExportFormatName[]>(Object.keys(EXPORT_FORMATS), 'keys of that object');

export const exportInput = z.strictObject({
  address: walletAddress,
  country: z.string().default('US'),
  format: z
    .string()
    .toLowerCase()
    .pipe(z.enum(formatNames, `must be one of: ${FORMATS}`))
    .default('json'),
});
export type ExportInput = z.input<typeof exportInput>;
