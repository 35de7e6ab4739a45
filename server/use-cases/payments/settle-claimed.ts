import type { Payment } from '@/generated/prisma/client';
import { repeatTransaction } from '@/server/db/repeat-transaction';
import { noteUndecided } from '@/server/chain/undecided-transactions';
import {
  CLAIM_LEASE_MS,
  claimPayment,
  type ClaimWish,
  type PaymentClaim,
  recordFailed,
  recordSent,
  recordSettled,
  releaseClaim,
} from '@/server/payments/claim-payment';
import { noteWaiting } from '@/server/payments/cool-down';
import { PaymentRefusal, type Settlement } from '@/server/payments/describe-challenge';
import { settleExact, signExact } from '@/server/payments/facilitator/settle-exact';
import { isHeldForRefund } from '@/server/payments/hold-payment';
import { paymentNetwork } from '@/server/payments/prices';
import {
  type ExactPayment,
  type SignedPayment,
  storedWire,
} from '@/server/payments/read-payment-header';
import type { Purchase } from './purchase';
import { heldForRefund, inProgress, paymentDue } from './refuse-payment';
import type { Call } from '../call';

type Together<Reserved> = { claim: PaymentClaim; reserved: Reserved } | 'busy' | 'done';

/**
 * Claims a payment and reserves what it buys in one database transaction: both or neither. `busy`: someone
 * else works on one of them; `done`: it was bought meanwhile.
 */
export async function claimTogether<Reserved>(
  call: Call,
  purchase: Purchase<Reserved>,
  wish: ClaimWish,
): Promise<Together<Reserved>> {
  try {
    return await repeatTransaction(call.service.db, async (tx) => {
      const claim = await claimPayment(tx, wish);
      if (!claim) throw new NotBoth('busy');
      const reservation = await purchase.reserve(tx, {
        holder: claim.id,
        leaseMs: CLAIM_LEASE_MS,
        quoteId: wish.quoteId,
      });
      if (typeof reservation === 'string') throw new NotBoth(reservation);
      // Money that may still land must not meet a rival's, even if this process dies as well.
      if (claim.payment.state === 'sent') await purchase.keepReserved(tx, claim.id);
      return { claim, ...reservation };
    });
  } catch (error) {
    if (!(error instanceof NotBoth)) throw error;
    if (error.why === 'busy') await noteBusy(call, purchase, wish.payer);
    return error.why;
  }
}

/** Outside the transaction that rolled back: the waiting payer is recorded for the cool-down of the holder. */
async function noteBusy(
  call: Call,
  { transaction }: Purchase<unknown>,
  payer: string,
): Promise<void> {
  if (transaction === null) return;
  await noteWaiting(call.service.db, { txSignature: transaction.signature, payer });
}

/** Thrown to roll back. */
class NotBoth extends Error {
  constructor(readonly why: 'busy' | 'done') {
    super(why);
    this.name = 'NotBoth';
  }
}

/** Half of a claim's lease. The rest is for drawing and writing. */
const SETTLE_MS = 15_000;

type Claimed<Reserved> = {
  presented: ExactPayment;
  claim: PaymentClaim;
  reserved: Reserved;
  /** As the client signed it; null when ours is on record. */
  wire: Uint8Array | null;
};

/**
 * Settles a claimed payment, and returns its signature once it is confirmed. While it may still land, the
 * answer is a 503, the purchase stays reserved, and a repeat polls again: never a second charge. When it
 * can no longer land, nobody was charged, and the answer is a 402.
 */
export async function settleClaimed<Reserved>(
  call: Call,
  purchase: Purchase<Reserved>,
  o: Claimed<Reserved>,
): Promise<string> {
  const { payment } = o.claim;
  if (payment.state === 'settled' && payment.signature !== null) return payment.signature;
  const sent = payment.state === 'sent' ? storedWire(payment) : null;
  const signed = sent ?? (await sign(call, purchase, o));
  return settle(call, purchase, o, signed);
}

async function sign<Reserved>(
  call: Call,
  purchase: Purchase<Reserved>,
  { claim, reserved, wire }: Claimed<Reserved>,
): Promise<SignedPayment> {
  const { db, clock } = call.service;
  try {
    if (wire === null) throw new Error(`payment ${claim.id} has no transaction to sign`);
    const signed = await signExact({ wire });
    await db.$transaction(async (tx) => {
      const sent = { ...signed, wire: new Uint8Array(signed.wire), now: clock.now() };
      if (!(await recordSent(tx, claim, sent))) throw inProgress();
      // A slow node can outlast the lease. A client that can no longer get the purchase must not be charged for it.
      if (!(await purchase.keepReserved(tx, claim.id))) throw inProgress();
    });
    return signed;
  } catch (error) {
    // Nothing was sent. The fence protects a claim that went to another.
    await releaseClaim(db, claim, { reason: 'not_signed', now: clock.now() });
    await purchase.unreserve(reserved);
    throw error;
  }
}

async function settle<Reserved>(
  call: Call,
  purchase: Purchase<Reserved>,
  { presented, claim, reserved }: Claimed<Reserved>,
  signed: SignedPayment,
): Promise<string> {
  const { db, clock } = call.service;
  const { signature } = signed;
  const outcome = await settleExact({ ...signed, waitMs: SETTLE_MS });
  const now = clock.now();
  const payer = claim.payment.payer ?? '';
  switch (outcome.state) {
    case 'settled':
      if (!(await recordSettled(db, claim, { slot: outcome.slot, now }))) throw inProgress();
      return signature;
    case 'pending':
      await releaseClaim(db, claim, { reason: 'pending', now });
      throw new PaymentRefusal(
        'payment_pending',
        `The payment was sent as ${signature} and is not confirmed yet. Send the same request with the same payment again in a few seconds. It is not charged twice.`,
        {
          details: { payment: signature },
          settlement: failure(call, presented, { reason: 'settlement_pending', signature, payer }),
          retryAfterS: 5,
        },
      );
    case 'undecided': {
      const { reason } = outcome;
      const wish = { kind: 'payment', subject: claim.id, signature, reason } as const;
      if ((await noteUndecided(db, wish)) === 'closed') return over('closed_on_record');
      await releaseClaim(db, claim, { reason: 'undecided', now });
      throw new PaymentRefusal(
        'payment_pending',
        `The payment was sent as ${signature}. Its blockhash has expired, and the Solana nodes cannot prove whether it landed. Do not pay again. The operator gets an alert. Send the same request with the same payment again in a minute. It is never charged twice.`,
        {
          details: { payment: signature },
          settlement: failure(call, presented, { reason: 'settlement_pending', signature, payer }),
          retryAfterS: 30,
        },
      );
    }
    case 'failed':
    case 'expired':
      return over(outcome.reason);
  }

  async function over(reason: string): Promise<never> {
    await recordFailed(db, claim, { reason, now });
    await purchase.unreserve(reserved);
    throw await paymentDue(call, purchase, {
      code: 'payment_invalid',
      text: `${endOf(reason)}: ${reason}.`,
      reason,
      settlement: failure(call, presented, { reason, payer }),
    });
  }
}

/** How a payment ended that bought nothing, in a sentence without its full stop. */
export function endOf(reason: string | null): string {
  if (reason === 'closed_on_record')
    return 'The operator closed this payment, because no Solana node shows it. If it is on chain after all, its payer can use it. See GET /payments/{signature}';
  return 'The payment did not land and can no longer land, so nobody was charged';
}

/** The settlement result of a payment that did not land, in the client's dialect. */
export function failure(
  call: Call,
  { dialect }: ExactPayment,
  o: { reason: string; signature?: string; payer?: string },
): Settlement {
  const names = paymentNetwork(call.service.env.network);
  return {
    success: false,
    transaction: o.signature ?? '',
    network: dialect === 'v1' ? names.v1 : names.caip2,
    errorReason: o.reason,
    ...(o.payer === undefined ? {} : { payer: o.payer }),
  };
}

/**
 * The result that the ledger alone shows for a payment: it bought this request before, or null when
 * the chain must be read. Throws the refusal of a payment that bought something else, was refunded,
 * or is claimed by another request.
 */
export async function standingOf(
  call: Call,
  purchase: Purchase<unknown>,
  known: Payment | null,
  /** As it came, if its dialect has a header for the result of a settlement. */
  presented: ExactPayment | null = null,
): Promise<{ state: 'answered'; payment: Payment } | null> {
  const news = (code: 'payment_already_used' | 'payment_refunded') => ({
    code,
    ...(presented && { settlement: failure(call, presented, { reason: code }) }),
  });
  if (known?.state === 'used') {
    if (known.requestSha256 === purchase.key.requestSha256)
      return { state: 'answered', payment: known };
    throw await paymentDue(call, purchase, {
      ...news('payment_already_used'),
      text: 'The payment has bought something else already.',
    });
  }
  if (known?.state === 'refunded')
    throw await paymentDue(call, purchase, {
      ...news('payment_refunded'),
      text: `The payment was refunded in ${known.refundSignature ?? 'a transaction'}.`,
    });
  if (known && isHeldForRefund(known, call.service.clock.now())) throw heldForRefund();
  const isHeld = known?.leaseUntil && known.leaseUntil > call.service.clock.now();
  if (isHeld) throw inProgress();
  return null;
}
