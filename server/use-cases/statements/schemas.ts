import { z } from 'zod';
import { USD_DECIMALS, fromDecimal } from '@quittance/verify/money';
import { pathStep } from '@quittance/verify/statements/merkle';
import { statementItem } from '@quittance/verify/statements/statement-rows';
import {
  mintStatusWord,
  settlement,
  txSignature,
  waitSeconds,
  walletAddress,
} from '../receipts/schemas';

const instant = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 date-time with a time zone, like 2026-01-01T00:00:00Z',
});
/** US dollars of at most 6 decimals, as a number or as text. */
const minUsd = z
  .union([z.number().transform(String), z.string()])
  .refine((text) => (fromDecimal(text, USD_DECIMALS) ?? -1n) >= 0n, {
    message: 'must be an amount in US dollars, not below 0, with at most 6 decimals',
  });

/** More than any statement may list, so that the refusal names the limit of a statement. */
const MOST_LISTED = 12_000;

/** Exactly one of the two ways to choose transactions: a list, or a period to scan. */
export const statementInput = z
  .strictObject({
    wallet_address: walletAddress,
    transactions: z
      .array(txSignature)
      .max(MOST_LISTED)
      .optional()
      .describe('Signatures of the transactions to list. Send these or a period, not both.'),
    period_start: instant.optional().describe('First moment of the period, with a time zone.'),
    period_end: instant
      .optional()
      .describe('End of the period, not included. An end with second 59 includes that second.'),
    min_usd: minUsd
      .optional()
      .describe('Smallest value in US dollars of a transaction to list. For a period only.'),
    output_formats: z
      .array(z.enum(['json', 'csv'], 'must be json or csv'))
      .max(8)
      .default(['json', 'csv'])
      .describe('Formats that the caller reads. Every statement has both.'),
  })
  .superRefine((input, call) => {
    const { transactions, period_start: start, period_end: end } = input;
    const refuse = (field: string, message: string) =>
      call.addIssue({ code: 'custom', path: [field], message });
    const isScan = start !== undefined || end !== undefined;
    if (transactions !== undefined && isScan)
      refuse('transactions', 'must not come with a period: send a list or a period, not both');
    else if (transactions === undefined && !isScan)
      refuse('transactions', 'is required, or period_start and period_end are');
    else if (isScan && start === undefined) refuse('period_start', 'is required with period_end');
    else if (isScan && end === undefined) refuse('period_end', 'is required with period_start');
    else if (!isScan && input.min_usd !== undefined)
      refuse('min_usd', 'is for a period only, because a list is complete as given');
  });
export type StatementInput = z.output<typeof statementInput>;
export type StatementRequest = z.input<typeof statementInput>;

/** The change of a balance of the wallet: above zero for money that came in. */
const balanceChange = z.object({
  /** Null for SOL, native and wrapped. */
  mint: z.string().nullable(),
  token: z.string(),
  decimals: z.number().int(),
  amount: z.number(),
  amount_raw: z.string(),
});
export type BalanceChangeBody = z.infer<typeof balanceChange>;

const byToken = z.record(z.string(), z.number());

/** A statement. `nft_mint` is null until its NFT is minted. */
export const statementBody = z.object({
  success: z.literal(true),
  statement_id: z.string(),
  nft_mint: z.string().nullable(),
  metadata_uri: z.url(),
  image_uri: z.url(),
  mint_status: mintStatusWord,
  mint_signature: z.string().nullable(),
  tree: z.string().nullable(),
  wallet: z.string(),
  mode: z.enum(['list', 'scan']),
  created_at: z.iso.datetime(),
  summary: z.object({
    tx_count: z
      .number()
      .int()
      .describe('Transactions, each once. The price depends on this number.'),
    row_count: z.number().int().describe('Rows: one for each leg of the wallet.'),
    total_usd: z.number(),
    total_usd_raw: z.string(),
    period_start: z.iso.date(),
    period_end: z.iso.date(),
    by_token: byToken,
    by_role: z.object({ as_payer: z.number(), as_seller: z.number() }),
    by_token_by_role: z.record(
      z.string(),
      z.object({ as_payer: z.number(), as_seller: z.number() }),
    ),
  }),
  transactions: z.array(statementItem),
  /** The transactions that a scan left out, by reason. */
  skipped: z.record(
    z.string(),
    z.object({
      count: z.number().int(),
      tx_signatures: z.array(z.string()),
      changes: z.array(balanceChange),
    }),
  ),
  /**
   * Fees, rent and the like, by reason. Rows, `skipped` and these add up to the change of each
   * balance of the wallet. Null for a statement from before they were noted.
   */
  left_out: z.record(z.string(), z.array(balanceChange)).nullable(),
  /** False when a scan could not search every account of the wallet. */
  complete: z.boolean(),
  csv_sha256: z.string(),
  merkle_root: z.string(),
  csv_url: z.string(),
});
export type StatementBody = z.infer<typeof statementBody>;

/** A statement that is written while its NFT is not there yet; `last_error` says what it waits for. */
export const statementPendingBody = z.object({
  success: z.literal(true),
  statement_id: z.string(),
  metadata_uri: z.url(),
  mint_status: mintStatusWord,
  attempts: z.number().int(),
  last_error: z.string().nullable(),
  message: z.string(),
});
export type StatementPendingBody = z.infer<typeof statementPendingBody>;

/** `outcome` separates 200 from 202 and is not part of the body. */
export const statementOutcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('stated'),
    body: statementBody,
    settlement: settlement.nullable(),
  }),
  z.object({
    outcome: z.literal('pending'),
    body: statementPendingBody,
    settlement: settlement.nullable(),
  }),
]);
export type StatementOutcome = z.infer<typeof statementOutcome>;

export const statementById = z.strictObject({ statement_id: z.string(), wait: waitSeconds });
export type StatementById = z.output<typeof statementById>;

export const statementProofInput = z.strictObject({
  statement_id: z.string(),
  tx_signature: txSignature,
  /** A leg of the transaction; the first that is listed where it is left out. */
  leg: z
    .string()
    .regex(/^\d{1,4}$/, 'must be the number of a leg')
    .transform(Number)
    .optional(),
});
export type StatementProofInput = z.output<typeof statementProofInput>;

/** How one row leads to the root: hash it with 0x00 before its canonical JSON, then follow the path. */
export const statementProofBody = z.object({
  success: z.literal(true),
  statement_id: z.string(),
  tx_signature: z.string(),
  position: z.number().int(),
  row: statementItem,
  leaf: z.string().describe('Hash of the row in hex.'),
  path: z.array(pathStep),
  merkle_root: z.string(),
});
export type StatementProofBody = z.infer<typeof statementProofBody>;
