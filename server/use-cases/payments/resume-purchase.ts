import { ServiceError } from '@/server/errors';
import {
  closeFollowed,
  closeForWallet,
  type PreparedQuote,
} from '@/server/payments/awaited-payments';
import { findQuote } from '@/server/payments/prepared-quotes';
import { createReceipt } from '../receipts/create-receipt';
import { mintInput } from '../receipts/schemas';
import { createStatement } from '../statements/create-statement';
import { statementInput } from '../statements/schemas';
import type { ResumeBody, ResumeInput } from '../web-schemas';
import { followQuote } from './follow-quote';
import { lookForPayment } from './look-for-payment';
import { payersOf } from './purchase';
import type { Actor, Call } from '../call';

/**
 * The state of a payment that a page prepared, and its purchase. With `wallet`, payments that other
 * wallets signed or prepared make nobody wait.
 */
export async function resumePurchase(call: Call<ResumeInput>): Promise<ResumeBody> {
  const {
    input: { quote_id: id, wallet, lands_until: landsUntil },
  } = call;
  return resumeQuote(call, await requirePrepared(call, id), {
    ...(wallet === undefined ? {} : { wallet }),
    ...(landsUntil === undefined ? {} : { landsUntil: BigInt(landsUntil) }),
  });
}

/** A quote whose payment a page prepared; throws 404. */
export async function requirePrepared({ service }: Call, id: string): Promise<PreparedQuote> {
  const quote = await findQuote(service.db, id);
  if (quote && quote.request !== null) return quote;
  throw quoteUnknown(id);
}

/** The 404 of an offer that does not exist, or no longer. */
export function quoteUnknown(id: string): ServiceError {
  return new ServiceError(
    'quote_unknown',
    `There is no open offer ${id}. This request charged you nothing. Ask for the receipt again to get a new one.`,
  );
}

/**
 * Carries out the request of a quote once its payment exists, with or without the page that prepared it.
 * Safe to call at any time and to repeat: a payment buys its request once, and then returns its answer.
 */
export async function resumeQuote(
  call: Call,
  quote: PreparedQuote,
  o: Parameters<typeof followQuote>[2] = {},
): Promise<ResumeBody> {
  const { db } = call.service;
  const bought = await db.payment.findFirst({
    where: { quoteId: quote.id, state: 'used' },
    select: { subjectId: true },
  });
  if (bought?.subjectId != null) return done(db, quote, bought.subjectId, true);
  const followed = await followQuote(call, quote, o);
  if (followed.state !== 'paid') return followed;
  try {
    return await buyWith(call, quote, followed.signature);
  } catch (error) {
    // Only one node shows it: a page continues to poll, and to send what was signed.
    if (error instanceof ServiceError && error.code === 'payment_not_seen_yet')
      return { state: 'waiting', signature: followed.signature };
    // A stranger's call may be refused because of the stranger's headers, so it runs as the service.
    if (call.actor.kind === 'job' && isForGood(error))
      await closeRefused(call, quote, followed.signature);
    throw error;
  }
}

async function buyWith(call: Call, quote: PreparedQuote, signature: string): Promise<ResumeBody> {
  const { db } = call.service;
  // The caller follows the mint separately.
  const paying = { payment: { paymentSignature: null, xPayment: signature }, waitS: 0 };
  if (quote.path === '/statement') {
    // The wallet proved itself over a transaction, and here only the memo binds.
    const stated = await createStatement({
      service: call.service,
      actor: withoutProof(call.actor),
      input: { ...paying, body: statementInput.parse(quote.request) },
    });
    return done(db, quote, stated.body.statement_id, true);
  }
  const { outcome, body } = await createReceipt({
    service: call.service,
    actor: call.actor,
    input: { ...paying, body: mintInput.parse(quote.request) },
  });
  return done(db, quote, body.receipt_id, outcome === 'created');
}

/** Whether a refusal is the same for every repeat. Rate limits and silent upstreams are not. */
function isForGood(error: unknown): boolean {
  return error instanceof ServiceError && error.status < 500 && error.status !== 429;
}

/** A payment that is finally refused stays its payer's, on record in the ledger, and is no obstacle to another wallet. */
async function closeRefused(call: Call, quote: PreparedQuote, signature: string): Promise<void> {
  const seen = await lookForPayment(call, signature);
  // Nothing is finally refused on the word of one node.
  if (seen.state !== 'paid' || seen.isAlone) return;
  const payers = await payersOf(call, quote);
  await closeForWallet(call.service.db, { id: quote.id, wallet: seen.payment.payer, payers });
}

function withoutProof(actor: Actor): Actor {
  return actor.kind === 'anyone' ? { ...actor, proof: { address: null, signature: null } } : actor;
}

async function done(
  db: Call['service']['db'],
  quote: Pick<PreparedQuote, 'id'>,
  boughtId: string,
  isUsed: boolean,
): Promise<ResumeBody> {
  await closeFollowed(db, quote.id);
  return { state: 'bought', bought_id: boughtId, payment_used: isUsed };
}
