import bs58 from 'bs58';
import type { WireTransaction } from '@/server/chain/decode-wire';
import type { Rpc, Simulation } from '@/server/chain/rpc';
import { RpcRefused } from '@/server/chain/rpc-errors';
import { QUOTE_ID } from '@/server/ids';
import { readWireMessage } from '../wire-message';
import { askLibrary } from './ask-library';
import { facilitatorParts, type FacilitatorParts } from './facilitator-parts';
import { readPayload } from './read-payload';
import { scanWire } from './scan-wire';
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

/** Where the transfer stands, and the account that it debits (x402 specs/schemes/exact/scheme_exact_svm.md). */
const TRANSFER_AT = 2;
/** Owner of a token account: after the 32 bytes of its mint (SPL Token, state.rs). */
const OWNER_AT = 32;

/**
 * Verifies a v1 or v2 payment against our own quote: what the client says it accepted is not asked. Costs
 * one RPC call, and that only when everything else is in order. Moves nothing. Throws RpcUnavailable.
 */
export async function verifyExact(
  o: {
    version: 1 | 2;
    paymentPayload: unknown;
    quote: { id: string; priceMicros: bigint; payTo: string; resourceUrl: string };
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

  const base64 = Buffer.from(wire).toString('base64');
  const seen: { own: string | null; trouble: unknown; owner: string | null } = {
    ...{ own: null, trouble: null, owner: null },
  };
  const simulate = async (): Promise<void> => {
    seen.own = scanWire(transaction, feePayer) ?? foreignMemo(message.memos, o.quote.id);
    if (seen.own !== null) throw new Error(seen.own);
    const { err, accounts } = await simulated(rpc, base64, transaction, seen);
    if (err !== null) throw new Error(JSON.stringify(err));
    seen.owner = bs58.encode(accounts[0]?.data.subarray(OWNER_AT, OWNER_AT + 32) ?? []);
  };
  const answer = await askLibrary({ ...o, network, feePayer, transaction: base64, simulate });
  // The library takes every trouble for a failed simulation.
  if (seen.trouble !== null) throw seen.trouble;
  if (seen.own !== null) return refused(seen.own);
  if (!answer.ok) return refused(answer.reason, answer.detail);
  const payer = authorityOf(transaction);
  // A delegate may spend an account, but its owner is who paid, and he has signed nothing.
  if (seen.owner !== payer) return refused('invalid_exact_svm_payload_payer_not_owner');
  const memo = message.memos.find((text) => text === o.quote.id) ?? message.memos[0] ?? null;
  return { ok: true, payer, messageHash: message.messageHash, wire, memo };
}

async function simulated(
  rpc: Rpc,
  base64: string,
  transaction: WireTransaction,
  seen: { trouble: unknown },
): Promise<Simulation> {
  try {
    return await rpc.simulateTransaction(base64, { accounts: [sourceOf(transaction)] });
  } catch (error) {
    if (error instanceof RpcRefused) return { err: error.message, accounts: [] };
    seen.trouble = error;
    throw error;
  }
}

function refused(reason: string, detail: string | null = null): RefusedPayment {
  return { ok: false, reason, detail: wordsFor(reason, detail) };
}

/** Any memo is the payer's own business, as long as it does not name a quote of another request. */
function foreignMemo(memos: readonly string[], quoteId: string): string | null {
  const names = memos.some((memo) => QUOTE_ID.test(memo) && memo !== quoteId);
  return names ? 'invalid_exact_svm_payload_memo_mismatch' : null;
}

/** Accounts of TransferChecked: source, mint, destination, authority. */
function accountOf({ instructions, staticKeys }: WireTransaction, at: number): string {
  return staticKeys[instructions[TRANSFER_AT]?.accounts[at] ?? -1] ?? '';
}
const sourceOf = (transaction: WireTransaction): string => accountOf(transaction, 0);
const authorityOf = (transaction: WireTransaction): string => accountOf(transaction, 3);
