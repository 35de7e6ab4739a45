import { z } from 'zod';
import type { Network } from '@/server/env';
import { paymentNetwork } from '../payment-network';

/** Bytes of the transaction in a payload, or why it is none for us. */
export type ReadPayload =
  { ok: true; wire: Uint8Array } | { ok: false; reason: string; detail: string };

const signed = z.looseObject({ transaction: z.base64().min(1).max(4_096) });
const payloads = {
  1: z
    .looseObject({ scheme: z.string(), network: z.string(), payload: signed })
    .transform(({ scheme, network, payload }) => ({ scheme, network, ...payload })),
  2: z
    .looseObject({
      accepted: z.looseObject({ scheme: z.string(), network: z.string() }),
      payload: signed,
    })
    .transform(({ accepted: { scheme, network }, payload }) => ({ scheme, network, ...payload })),
};

/**
 * Reads the decoded JSON of a v1 or v2 payment (x402 specs/x402-specification-v1.md and -v2.md). Of what
 * the client accepted only scheme and network count; amount and receiver are the quote's.
 */
export function readPayload(o: {
  version: 1 | 2;
  paymentPayload: unknown;
  network: Network;
}): ReadPayload {
  const parsed = payloads[o.version].safeParse(o.paymentPayload);
  if (!parsed.success)
    return {
      ok: false,
      reason: 'invalid_payload',
      detail: `it is no payload of x402 version ${o.version} with the scheme exact on Solana`,
    };
  const { scheme, network, transaction } = parsed.data;
  if (scheme !== 'exact')
    return {
      ok: false,
      reason: 'invalid_exact_svm_unsupported_scheme',
      detail: 'only the scheme exact is taken',
    };
  const names = paymentNetwork(o.network);
  if (!namesOf(names).includes(network))
    return {
      ok: false,
      reason: 'invalid_exact_svm_network_mismatch',
      detail: `it is for another network than ${names.v1}`,
    };
  return { ok: true, wire: new Uint8Array(Buffer.from(transaction, 'base64')) };
}

/** What clients call a network: some send an old name, or that of the other version (Faremeter does). */
function namesOf(names: ReturnType<typeof paymentNetwork>): string[] {
  const { v1, caip2, documented } = names;
  return [v1, caip2, documented, ...(v1 === 'solana' ? ['solana-mainnet-beta'] : [])];
}
