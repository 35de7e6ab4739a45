import { z } from 'zod';
import { cleanLabel } from '@quittance/verify/receipts/clean-label';
import { serviceTypeLabel } from '@/server/receipts/labels';
import { isSignature } from '@quittance/verify/wallets/base58';
import { walletAddress } from '../receipts/schemas';

/** Longest business name, in code points. */
const NAME_LENGTH = 80;
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const businessName = z.string().transform((text, call) => {
  const cleaned = cleanLabel(text, NAME_LENGTH);
  if (cleaned.ok) return cleaned.text;
  call.addIssue({ code: 'custom', message: cleaned.reason });
  return z.NEVER;
});

/** Any country of ISO 3166: where a seller is has nothing to do with the currencies we convert into. */
const country = z
  .string()
  .toUpperCase()
  .refine((code) => /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined, {
    message: 'must be a two-letter country code (ISO 3166)',
  });

/** Keeps a text as it was sent beside what is made of it: the wallet has signed the one that was sent. */
function withSent(schema: z.ZodType<string, string>) {
  return z.string().transform((sent, call) => {
    const parsed = schema.safeParse(sent);
    if (parsed.success) return { sent, text: parsed.data };
    for (const { message } of parsed.error.issues) call.addIssue({ code: 'custom', message });
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

/** What one call may report; senders put a few into each. */
const MOST_SIGNATURES = 1_000;
const signature = z.string().refine(isSignature, 'must be a transaction signature');
const told = z.union([
  signature,
  // Helius, enhanced webhooks.
  z.looseObject({ signature }).transform((one) => one.signature),
  // Helius, raw webhooks: the transaction as RPC nodes give it.
  z
    .looseObject({ transaction: z.looseObject({ signatures: z.array(signature).min(1) }) })
    .transform((one) => one.transaction.signatures[0] ?? ''),
]);
const list = z.array(told).max(MOST_SIGNATURES, `must name at most ${MOST_SIGNATURES}`);

/** A list of signatures, alone or under `signatures`, or the events of a Helius webhook. */
export const webhookInput = z.union([
  list,
  z.looseObject({ signatures: list }).transform((body) => body.signatures),
]);
export type WebhookBody = z.input<typeof webhookInput>;

export const webhookBody = z.object({
  success: z.literal(true),
  received: z.number().int(),
  /** Those that were not known yet. */
  noted: z.number().int(),
});
