import { verify } from 'node:crypto';
import { RpcRefused } from '@/server/chain/rpc-errors';
import { ed25519PublicKey } from '@/server/ed25519';
import { ServiceError } from '@/server/errors';
import { quoteIdsOf } from '@/server/payments/find-quotes';
import { forgetSent, noteSignature } from '@/server/payments/prepared-quotes';
import { hasDurableNonce, readWireMessage, type WireMessage } from '@/server/payments/wire-message';
import { decodeBase58 } from '@/server/wallets/base58';
import { inProgress } from '../payment/refuse-payment';
import type { RequestContext } from '../request-context';
import { quoteUnknown, requirePrepared } from './resume-purchase';

/**
 * Sends the signed payment of an open quote that a page prepared: nothing but that goes through here. Its
 * signature is on record before it is sent, so it is found again whatever happens. The same payment may be
 * sent again; another one while it can still land is refused.
 */
export async function sendPayment(
  ctx: RequestContext,
  input: { quote_id: string; transaction: string },
): Promise<{ signature: string }> {
  const { db, rpc, clock } = ctx.service;
  const quote = await requirePrepared(ctx, input.quote_id);
  if (quote.openUntil <= clock.now()) throw quoteUnknown(quote.id);
  const signature = readSigned(input.transaction, quote.id);
  // Without a nonce, whatever blockhash a wallet put in lives no longer than the newest one.
  const { lastValidBlockHeight } = await rpc.getLatestBlockhash();
  const landsUntil = lastValidBlockHeight;
  if (!(await noteSignature(db, { id: quote.id, signature, landsUntil }))) throw inProgress();
  try {
    await rpc.sendTransaction(input.transaction, { skipPreflight: false });
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    if (await isThere(ctx, signature)) return { signature };
    await forgetSent(db, { id: quote.id, paymentHint: signature });
    throw new ServiceError(
      'payment_not_sent',
      `The chain did not take the payment, so no money moved: ${error.message.slice(0, 300)}.`,
    );
  }
  return { signature };
}

/** A repeat of what has landed is refused by the node, and is no failure. */
async function isThere(ctx: RequestContext, signature: string): Promise<boolean> {
  const [status] = await ctx.service.rpc.getSignatureStatuses([signature]);
  return status != null && status.err === null;
}

/** Signature of a transaction that all its signers signed and whose memo is the quote. */
function readSigned(transaction: string, quoteId: string): string {
  const message = readWireMessage(new Uint8Array(Buffer.from(transaction, 'base64')));
  if (!message) throw wrong('is no transaction');
  const named = quoteIdsOf(message.memos);
  if (named.length !== 1 || named[0] !== quoteId)
    throw wrong('does not carry the memo of the offer');
  if (hasDurableNonce(message.transaction))
    throw wrong('uses a durable nonce, so it would never expire; use a recent blockhash');
  const [signature] = message.transaction.signatures;
  if (signature === undefined || !isSigned(message))
    throw wrong('is not signed by all its signers');
  return signature;
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
