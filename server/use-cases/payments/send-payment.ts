import { verify } from 'node:crypto';
import { RpcRefused } from '@quittance/verify/chain/rpc-errors';
import { statusesByNode } from '@/server/chain/node-statuses';
import { mayHaveLanded } from '@/server/chain/send-to-all';
import { ed25519PublicKey } from '@quittance/verify/ed25519';
import { ServiceError } from '@/server/errors';
import {
  noteSignature,
  type PreparedQuote,
  retractSignature,
} from '@/server/payments/awaited-payments';
import { quoteIdsOf } from '@/server/payments/quotes';
import { payingWallet } from '@/server/payments/transfer-checked';
import { MARGIN_BLOCKS } from '@/server/chain/landing-margin';
import { paymentNetwork } from '@/server/payments/prices';
import { isStillOpen, sentForSame } from '@/server/payments/prepared-quotes';
import { findReceiptOfTransaction } from '@/server/receipts/find-receipt';
import {
  hasDurableNonce,
  readWireMessage,
  type WireMessage,
} from '@/server/payments/read-payment-header';
import { decodeBase58 } from '@quittance/verify/wallets/base58';
import { payersOf } from './purchase';
import { inProgress } from './refuse-payment';
import { quoteUnknown, requirePrepared } from './resume-purchase';
import type { Call } from '../call';

/**
 * Sends the signed payment of an open quote that a page prepared, and nothing else. Its
 * signature is on record before it is sent, so it is found again whatever happens. The same payment may be
 * sent again; another one of the same wallet, while the first can still land, is refused.
 */
export async function sendPayment(
  call: Call<{ quote_id: string; transaction: string }>,
): Promise<{ signature: string }> {
  const { input } = call;
  const { db, rpc } = call.service;
  const quote = await requirePrepared(call, input.quote_id);
  if (!(await isStillOpen(db, quote))) throw quoteUnknown(quote.id);
  const { signature, wallet } = await readSigned(call, input.transaction, quote);
  // Without a nonce, no blockhash that a wallet uses lives longer than the newest one.
  const { lastValidBlockHeight } = await rpc.getLatestBlockhash();
  const landsUntil = lastValidBlockHeight + MARGIN_BLOCKS;
  const isRepeat = quote.awaited.some((one) => one.signature === signature);
  if (!isRepeat && (await mayBePaidFor(call, quote, wallet))) throw inProgress();
  if (!(await noteSignature(db, { id: quote.id, wallet, signature, landsUntil })))
    throw inProgress();
  try {
    await rpc.sendTransaction(input.transaction, { skipPreflight: false });
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    // A payment that was sent before may still land, so a refusal of the repeat proves nothing
    // about it. The error of a node that is behind the blockhash, or has processed the payment, is
    // no refusal.
    if (isRepeat || quote.paymentHint === signature || mayHaveLanded(error)) return { signature };
    // So may one that a node accepted before it fell silent. The sweep finds out what becomes of it.
    if (error.isAfterTrouble) return { signature };
    if (await isThere(call, signature)) return { signature };
    const isStillAwaited = quote.awaited.some((one) => one.wallet === wallet);
    const wait = { quoteId: quote.id, wallet, signature, landsUntil };
    await retractSignature(db, { wait, isStillAwaited });
    throw new ServiceError(
      'payment_not_sent',
      `The chain rejected the payment, so no money moved: ${error.message.slice(0, 300)}.`,
    );
  }
  return { signature };
}

/** Whether the purchase of a quote exists, or the same wallet pays for it by another quote: two pages may be open. */
async function mayBePaidFor(
  { service: { db } }: Call,
  quote: PreparedQuote,
  wallet: string,
): Promise<boolean> {
  const { txSignature } = quote;
  if (txSignature !== null && (await findReceiptOfTransaction(db, txSignature)) !== null)
    return true;
  const others = await sentForSame(db, quote);
  return others.some(({ awaited }) =>
    awaited.some((one) => one.wallet === wallet && one.signature !== null),
  );
}

/** The node refuses a repeat of a landed transaction, which is not a failure. */
async function isThere(call: Call, signature: string): Promise<boolean> {
  const told = await statusesByNode(call.service.rpc, [signature]);
  return told.some((node) => node?.[0] != null && node[0].err === null);
}

/** Signature and paying wallet of a transaction that all its signers signed and that pays the quote. */
async function readSigned(
  call: Call,
  transaction: string,
  quote: PreparedQuote,
): Promise<{ signature: string; wallet: string }> {
  const message = readWireMessage(new Uint8Array(Buffer.from(transaction, 'base64')));
  if (!message) throw wrong('is no transaction');
  const named = quoteIdsOf(message.memos);
  if (named.length !== 1 || named[0] !== quote.id)
    throw wrong('does not carry the memo of the offer');
  if (hasDurableNonce(message.transaction))
    throw wrong('uses a durable nonce, so it would never expire; use a recent blockhash');
  const [signature] = message.transaction.signatures;
  if (signature === undefined || !isSigned(message))
    throw wrong('is not signed by all its signers');
  const { usdcMint: mint } = paymentNetwork(call.service.env.network);
  const { payTo, priceMicros } = quote;
  const wallet = await payingWallet(message.transaction, { payTo, priceMicros, mint });
  if (wallet === null) throw wrong('does not hold the transfer that pays the offer');
  if (!(await payersOf(call, quote)).includes(wallet))
    throw wrong('is not signed by a wallet that may pay for the offer');
  return { signature, wallet };
}

function isSigned({ message, transaction }: WireMessage): boolean {
  const { signatures, staticKeys, signerCount } = transaction;
  return (
    signatures.length === signerCount &&
    signatures.every((signature, at) => {
      const key = decodeBase58(staticKeys[at] ?? '', 32);
      const bytes = decodeBase58(signature, 64);
      return key && bytes && verify(null, message, ed25519PublicKey(key), bytes);
    })
  );
}

function wrong(why: string): ServiceError {
  return new ServiceError('invalid_request', `Invalid request: transaction: it ${why}`, {
    details: { transaction: why },
  });
}
