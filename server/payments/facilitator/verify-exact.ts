import type { Network } from '@/server/env';
import { QUOTE_ID } from '@/server/ids';
import { paymentNetwork } from '../payment-network';
import { readWireMessage, type WireMessage } from '../wire-message';
import { readTransfer } from './allowed-instructions';
import { askLibrary } from './ask-library';
import { checkTerms } from './check-terms';
import { facilitatorParts, type FacilitatorParts } from './facilitator-parts';
import { readPayload } from './read-payload';
import { isUnknownFollower, scanKeys, scanWire } from './scan-wire';
import { simulatePayment } from './simulate-payment';
import { wordsFor } from './reason-words';

export type VerifiedPayment = {
  ok: true;
  /** Owner of the account that is debited. */
  payer: string;
  /** Hex sha256 of the message bytes. */
  messageHash: string;
  /** As the client signed it; the fee payer's signature is still missing. */
  wire: Uint8Array;
  /** The quote's id when the payment names it, else what the client wrote; null without a memo. */
  memo: string | null;
};
export type RefusedPayment = { ok: false; reason: string; detail: string };

type Quote = { id: string; priceMicros: bigint; payTo: string; resourceUrl: string };

/**
 * Verifies a v1 or v2 payment against our own quote: what the client says it accepted is not asked. Costs
 * one RPC call, and that only when everything else is in order. Moves nothing. Throws RpcUnavailable.
 */
export async function verifyExact(
  o: {
    version: 1 | 2;
    paymentPayload: unknown;
    quote: Quote;
  },
  parts: FacilitatorParts = facilitatorParts(),
): Promise<VerifiedPayment | RefusedPayment> {
  const { rpc, network } = parts;
  const feePayer = parts.feePayer.publicKey;
  const read = readPayload({ ...o, network });
  if (!read.ok) return read;
  const { wire } = read;
  const message = readWireMessage(wire);
  // A count in a longer form than need be would hide the same message under another hash.
  if (!message || wire[0] !== message.transaction.signatures.length)
    return refused('invalid_exact_svm_payload_transaction_could_not_be_decoded');
  const { transaction } = message;

  const refusal = await refuseForm(o, { wire, message, network, feePayer });
  if (refusal) return refusal;
  const transfer = readTransfer(transaction);
  if (!transfer) throw new Error('the scan let pass what is no transfer');
  const { usdcMint } = paymentNetwork(network);
  const other = await checkTerms(transfer, o.quote, usdcMint);
  if (other !== null) return refused(other);
  const simulated = await simulatePayment(rpc, {
    wireBase64: Buffer.from(wire).toString('base64'),
    blockhash: transaction.recentBlockhash,
    feePayer,
    source: transfer.source,
  });
  if (!simulated.ok) return refused(simulated.reason, simulated.detail);
  const payer = transfer.authority;
  // A delegate may spend an account, but its owner is who paid, and he has signed nothing.
  if (simulated.owner !== payer) return refused('invalid_exact_svm_payload_payer_not_owner');
  const memo = message.memos.find((text) => text === o.quote.id) ?? message.memos[0] ?? null;
  return { ok: true, payer, messageHash: message.messageHash, wire, memo };
}

/** What the bytes alone refuse. The library knows memo v3 alone: what it does not know, the scan judges. */
async function refuseForm(
  o: { version: 1 | 2; quote: Quote },
  seen: { wire: Uint8Array; message: WireMessage; network: Network; feePayer: string },
): Promise<RefusedPayment | null> {
  const { message, network, feePayer } = seen;
  const unknown = scanKeys(message.transaction);
  if (unknown !== null) return refused(unknown);
  const transaction = Buffer.from(seen.wire).toString('base64');
  const answer = await askLibrary({ ...o, network, feePayer, transaction });
  const scanned = scanWire(message.transaction, feePayer) ?? foreignMemo(message.memos, o.quote.id);
  if (!answer.ok && !(isUnknownFollower(answer.reason) && scanned === null))
    return refused(answer.reason, answer.detail);
  return scanned === null ? null : refused(scanned);
}

function refused(reason: string, detail: string | null = null): RefusedPayment {
  return { ok: false, reason, detail: wordsFor(reason, detail) };
}

/** Any memo is the payer's own business, as long as it does not name a quote of another request. */
function foreignMemo(memos: readonly string[], quoteId: string): string | null {
  const names = memos.some((memo) => QUOTE_ID.test(memo) && memo !== quoteId);
  return names ? 'invalid_exact_svm_payload_memo_mismatch' : null;
}
