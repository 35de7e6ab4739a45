import { TOKEN } from '@quittance/verify/chain/programs';
import { z } from 'zod';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import type { Network } from '@/server/env';
import { QUOTE_ID } from '@/server/ids';
import { paymentNetwork } from '../prices';
import { readWireMessage, type WireMessage } from '../read-payment-header';
import type { PlainTransfer } from '../transfer-checked';
import { askLibrary } from './ask-library';
import { isUnknownFollower, readTransfer, scanKeys, scanWire } from './scan-wire';
import { facilitatorParts, type FacilitatorParts } from './settle-exact';
import { simulatePayment } from './simulate-payment';

export type VerifiedPayment = {
  ok: true;
  /** Owner of the account that is debited. */
  payer: string;
  /** Hex sha256 of the message bytes. */
  messageHash: string;
  /** As the client signed it; the fee payer's signature is still missing. */
  wire: Uint8Array;
  /**
   * The quote's id when the payment names it, otherwise the memo of the client. Null without a
   * memo.
   */
  memo: string | null;
};
export type RefusedPayment = { ok: false; reason: string; detail: string };

type Quote = { id: string; priceMicros: bigint; payTo: string; resourceUrl: string };

/**
 * Verifies a v1 or v2 payment against our own quote and ignores the client's copy of the offer.
 * Makes one RPC call, and only when everything else is in order. Moves nothing. Throws
 * RpcUnavailable.
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
  // A count in a longer form than necessary would hide the same message under another hash.
  if (!message || wire[0] !== message.transaction.signatures.length)
    return refused('invalid_exact_svm_payload_transaction_could_not_be_decoded');
  const { transaction } = message;

  const refusal = await refuseForm(o, { wire, message, network, feePayer });
  if (refusal) return refusal;
  const transfer = readTransfer(transaction);
  if (!transfer) throw new Error('the scan accepted an instruction that is not a transfer');
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
  // A delegate may spend from an account, but the payer is its owner, who has signed nothing.
  if (simulated.owner !== payer) return refused('invalid_exact_svm_payload_payer_not_owner');
  const memo = message.memos.find((text) => text === o.quote.id) ?? message.memos[0] ?? null;
  return { ok: true, payer, messageHash: message.messageHash, wire, memo };
}

/** Refusals that the bytes alone show. The library knows memo v3 only: the scan judges the rest. */
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

/** Any memo is allowed, as long as it does not name a quote of another request. */
function foreignMemo(memos: readonly string[], quoteId: string): string | null {
  const names = memos.some((memo) => QUOTE_ID.test(memo) && memo !== quoteId);
  return names ? 'invalid_exact_svm_payload_memo_mismatch' : null;
}

/** Bytes of the transaction in a payload, or why we do not accept it. */
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
 * Reads the decoded JSON of a v1 or v2 payment (x402 specs/x402-specification-v1.md and -v2.md). Of
 * the offer that the client accepted only scheme and network count. Amount and receiver are the
 * quote's.
 */
function readPayload(o: {
  version: 1 | 2;
  paymentPayload: unknown;
  network: Network;
}): ReadPayload {
  const parsed = payloads[o.version].safeParse(o.paymentPayload);
  if (!parsed.success)
    return {
      ok: false,
      reason: 'invalid_payload',
      detail: `it is not a payload of x402 version ${o.version} with the scheme exact on Solana`,
    };
  const { scheme, network, transaction } = parsed.data;
  if (scheme !== 'exact')
    return {
      ok: false,
      reason: 'invalid_exact_svm_unsupported_scheme',
      detail: 'only the scheme exact is supported',
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

/**
 * Names that clients use for a network. Some send an old name, or that of the other version
 * (Faremeter does).
 */
function namesOf(names: ReturnType<typeof paymentNetwork>): string[] {
  const { v1, caip2, documented } = names;
  return [v1, caip2, documented, ...(v1 === 'solana' ? ['solana-mainnet-beta'] : [])];
}

/**
 * Whether a transfer is exactly what the quote asks for. The library compares the same, but stops
 * at an instruction that it does not know, so nothing about money relies on it. Returns the reason
 * of a refusal, or null.
 */
async function checkTerms(
  transfer: PlainTransfer,
  quote: { priceMicros: bigint; payTo: string },
  usdcMint: string,
): Promise<string | null> {
  if (transfer.mint !== usdcMint) return 'invalid_exact_svm_payload_mint_mismatch';
  const account = { wallet: quote.payTo, mint: usdcMint, tokenProgram: TOKEN };
  if (transfer.destination !== (await tokenAddressOf(account)))
    return 'invalid_exact_svm_payload_recipient_mismatch';
  return transfer.amount === quote.priceMicros ? null : 'invalid_exact_svm_payload_amount_mismatch';
}

/**
 * Meaning of a reason and what to do, as clauses that follow a colon in the message of a refusal.
 */
const WORDS: Readonly<Record<string, string>> = {
  payload_amount_mismatch: 'the transfer is not exactly the price of the quote',
  payload_mint_mismatch: 'the transfer is not in USDC',
  payload_recipient_mismatch: "the transfer does not go to payTo's USDC account",
  fee_payer_mismatch: 'the fee payer of the transaction is not extra.feePayer',
  payload_transaction_fee_payer_transferring_funds: 'the fee payer must not be the payer',
  payload_fee_payer_in_instruction: 'no instruction may have the fee payer among its accounts',
  payload_lookup_tables: 'no account may come from an address lookup table',
  payload_instruction_not_allowed:
    'only memos may follow the transfer, and assertions of Lighthouse about the payer and the accounts of the transfer',
  payload_unused_account: 'it names an account that no instruction uses',
  fee_payer_spends_too_much: 'it would cost the fee payer more than the network fee',
  payload_excessive_signers: 'more than two signatures are required',
  payload_signature_invalid: 'a signature is missing or wrong',
  payload_transaction_could_not_be_decoded: 'the transaction cannot be read',
  payload_transaction_instructions_length:
    'the transaction must hold a compute limit, a compute price, the transfer and at most a memo and guards',
  payload_no_transfer_instruction:
    'the third instruction must be TransferChecked of SPL Token, by the one wallet that signs',
  payload_transaction_instructions_compute_limit_instruction_too_high:
    'the compute limit is above 120,000 units',
  payload_transaction_instructions_compute_price_instruction_too_high:
    'the compute price is above 100,000 micro-lamports',
  payload_memo_mismatch: 'the memo names another quote',
  payload_blockhash_nearly_over:
    'fewer than 60 blocks are left of its blockhash, so sign a new transaction with a newer one',
  payload_payer_not_owner: 'the owner of the debited account must sign, not a delegate',
};
const PREFIX = 'invalid_exact_svm_';
/** SPL Token's error 1, in the third instruction. */
const TOO_LITTLE = '{"InstructionError":[2,{"Custom":1}]}';

/** Words for a reason; `detail` is the message of the simulation. */
function wordsFor(reason: string, detail: string | null): string {
  if (detail === '"BlockhashNotFound"')
    return 'its blockhash is too old or unknown, so sign a new transaction';
  if (detail === TOO_LITTLE) return 'the paying account holds less than the price';
  const words = WORDS[reason.slice(PREFIX.length)];
  if (words !== undefined) return words;
  if (detail !== null) return `it would fail on chain (${detail.slice(0, 200)})`;
  return `it does not have the form of the exact scheme (${reason})`;
}
