import { z } from 'zod';

const instant = z.iso.datetime();
const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be a base58 address');
/** `used_until` is null while in use. */
const period = { used_from: instant, used_until: instant.nullable() };
/** `revoked_at`: others may have the key, and nothing signed after `used_until` counts, not even by a second. */
const key = z.object({ public_key: address, ...period, revoked_at: instant.nullish() });
const account = z.object({ address, ...period });

/**
 * A list in which each key occurs once: with two times of one key, it would be unclear which
 * counts.
 */
function eachOnce<T extends z.ZodType<Record<Name, string>[]>, Name extends string>(
  list: T,
  name: Name,
) {
  return list.refine((all) => new Set(all.map((one) => one[name])).size === all.length, {
    error: `each ${name} must be listed once`,
  });
}

/**
 * `/.well-known/quittance.json`: the keys, trees and collections that make a receipt the service's
 * own, with the time each was in use. A check of a receipt begins here. Fields may be added later.
 */
export const issuerDocument = z.object({
  service: z.string(),
  network: z.enum(['local', 'devnet', 'mainnet']),
  url: z.url(),
  /**
   * Time of writing. The document is signed as a whole, so that it can be kept and compared; older
   * ones are not.
   */
  issued_at: instant.optional(),
  /** A creator key in use, which signed everything but `signature`: Ed25519 over the canonical JSON, base58. */
  signed_by: address.optional(),
  signature: z.string().max(96).optional(),
  creators: eachOnce(z.array(key), 'public_key'),
  storage_keys: eachOnce(z.array(key), 'public_key'),
  trees: eachOnce(z.array(account), 'address'),
  /**
   * `kind` is `standard`, or `frozen` where receipts cannot be moved. `holds` is the kind of its
   * NFTs, `receipt` or `statement`; null or left out where that was not on record.
   */
  collections: eachOnce(
    z.array(account.extend({ kind: z.string(), holds: z.string().nullish() })),
    'address',
  ),
});

export type IssuerDocument = z.infer<typeof issuerDocument>;
