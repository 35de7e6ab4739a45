import { z } from 'zod';
import { plainLine, serviceTypeLabel } from '@/server/receipts/labels';
import { isSignature } from '@quittance/verify/wallets/base58';
import { walletAddress } from '../receipts/schemas';

/** Longest business name, in code points. */
export const NAME_LENGTH = 80;
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const businessName = plainLine({ most: NAME_LENGTH });

/** Any country of ISO 3166: where a seller is has nothing to do with the currencies we convert into. */
const country = z
  .string()
  .toUpperCase()
  .refine((code) => /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined, {
    message: 'must be a two-letter country code (ISO 3166)',
  });

/**
 * Keeps the sent text together with the parsed one, because the wallet has signed the sent text.
 */
function withSent(schema: z.ZodType<string, string>) {
  return z.string().transform((sent, call) => {
    const parsed = schema.safeParse(sent);
    if (parsed.success) return { sent, text: parsed.data };
    for (const issue of parsed.error.issues) {
      const params = issue.code === 'custom' ? { params: issue.params } : {};
      call.addIssue({ code: 'custom', message: issue.message, ...params });
    }
    return z.NEVER;
  });
}

export const registerInput = z.strictObject({
  wallet_address: walletAddress,
  business_name: withSent(businessName),
  country: withSent(country),
  service_type: withSent(serviceTypeLabel),
});
export type RegisterInput = z.output<typeof registerInput>;
export type RegisterBody = z.input<typeof registerInput>;

export const registrationBody = z.object({
  success: z.literal(true),
  wallet_address: z.string(),
  business_name: z.string(),
  country: z.string(),
  service_type: z.string(),
  registered_at: z.iso.datetime(),
  auto_receipts: z.boolean(),
});
export type RegistrationBody = z.infer<typeof registrationBody>;

/** The most that one call may report; senders put a few into each. */
const MOST_SIGNATURES = 1_000;
const signature = z.string().refine(isSignature, 'must be a transaction signature');
const told = z.union([
  signature,
  // Helius, enhanced webhooks.
  z
    .looseObject({ signature: signature.describe('Signature of the transaction.') })
    .transform((one) => one.signature),
  // Helius, raw webhooks: the transaction as RPC nodes give it.
  z
    .looseObject({
      transaction: z.looseObject({
        signatures: z
          .array(signature)
          .min(1)
          .describe('Signatures of the transaction, first its own.'),
      }),
    })
    .transform((one) => one.transaction.signatures[0] ?? ''),
]);
const list = z.array(told).max(MOST_SIGNATURES, `must name at most ${MOST_SIGNATURES}`);

/** A list of signatures, alone or under `signatures`, or the events of a Helius webhook. */
export const webhookInput = z.union([
  list,
  z
    .looseObject({ signatures: list.describe('The transactions that are reported.') })
    .transform((body) => body.signatures),
]);
export type WebhookBody = z.input<typeof webhookInput>;

export const webhookBody = z.object({
  success: z.literal(true),
  received: z.number().int().describe('Transactions that were reported.'),
  /** Those that were not known yet. */
  noted: z.number().int(),
});
