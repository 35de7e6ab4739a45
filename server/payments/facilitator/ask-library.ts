import { address } from '@solana/kit';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { FacilitatorSvmSigner } from '@x402/svm';
import { ExactSvmScheme } from '@x402/svm/exact/facilitator';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/facilitator';
import type { Network } from '@/server/env';
import { trusted } from '@/server/trusted';
import { paymentNetwork } from '../prices';
import { LIMITS } from './scan-wire';

/** The two networks of `@x402/svm` that are ours, which it wants as a type of its own. */
type CaipNetwork = `${string}:${string}`;

export type LibraryAnswer = { ok: true } | { ok: false; reason: string; detail: string | null };

/** A blockhash lives 60 to 90 s, so more is impossible. The library does not read this value. */
const TIMEOUT_S = 60;
const PREFIX = 'invalid_exact_svm_';

/**
 * Lets the x402 library judge a payment against our requirements, with its in-memory ledger unused.
 * It signs, simulates and sends nothing here. It checks the instructions after the transfer last.
 * The memo is not required, because half of the clients write none.
 */
export async function askLibrary(o: {
  version: 1 | 2;
  network: Network;
  feePayer: string;
  transaction: string;
  quote: { priceMicros: bigint; payTo: string; resourceUrl: string };
}): Promise<LibraryAnswer> {
  const names = paymentNetwork(o.network);
  const caip2 = trusted<CaipNetwork>(names.caip2, 'CAIP-2 names have a colon');
  const signer = signerOver(o.feePayer);
  const common = {
    scheme: 'exact',
    payTo: o.quote.payTo,
    asset: names.usdcMint,
    maxTimeoutSeconds: TIMEOUT_S,
    extra: { feePayer: o.feePayer },
  };
  const amount = o.quote.priceMicros.toString();
  const payload = { transaction: o.transaction };
  const facilitator = new x402Facilitator();
  const answer =
    o.version === 1
      ? await facilitator
          .registerV1(
            trusted<CaipNetwork>(names.v1, 'v1 names are plain'),
            new ExactSvmSchemeV1(signer),
          )
          .verify(
            trusted<PaymentPayload>(
              { x402Version: 1, scheme: 'exact', network: names.v1, payload },
              'the library has one type for both versions and distinguishes them itself',
            ),
            trusted<PaymentRequirements>(
              {
                ...common,
                network: names.v1,
                maxAmountRequired: amount,
                resource: o.quote.resourceUrl,
                description: '',
                mimeType: 'application/json',
              },
              'the library has one type for both versions and distinguishes them itself',
            ),
          )
      : await facilitator
          .register(
            caip2,
            new ExactSvmScheme(signer, undefined, {
              maxComputeUnits: LIMITS.computeUnits,
              maxPriorityFeeMicroLamports: LIMITS.priorityFeeMicroLamports,
              maxRequiredSignatures: LIMITS.signatures,
            }),
          )
          .verify(
            { x402Version: 2, accepted: { ...common, network: caip2, amount }, payload },
            { ...common, network: caip2, amount },
          );
  if (answer.isValid) return { ok: true };
  return {
    ok: false,
    reason: plainReason(answer.invalidReason ?? 'verification_failed'),
    detail: answer.invalidMessage ?? null,
  };
}

/** The v1 scheme sometimes omits the prefix, and some reasons contain a sentence. */
function plainReason(reason: string): string {
  const word = reason.split(':')[0] ?? reason;
  return word.startsWith(PREFIX) ? word : `${PREFIX}${word}`;
}

function signerOver(feePayer: string): FacilitatorSvmSigner {
  const never = () => Promise.reject(new Error('the library only verifies here'));
  return {
    getAddresses: () => [address(feePayer)],
    simulateTransaction: () => Promise.resolve(),
    signTransaction: never,
    sendTransaction: never,
    confirmTransaction: never,
  };
}
