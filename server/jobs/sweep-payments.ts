import { listUndecided } from '@/server/admin/list-mints';
import { serviceContext } from '@/server/use-cases/service';
import { noteLongOpen, noteUndecided } from '@/server/chain/undecided-transactions';
import type { ServiceContext } from '@/server/context';
import { randomIds } from '@/server/ids';
import { log } from '@/server/log';
import {
  type PaymentClaim,
  recordFailed,
  recordSettled,
  releaseClaim,
} from '@/server/payments/claim-payment';
import { settleExact, type SettledPayment } from '@/server/payments/facilitator/settle-exact';
import { deleteOldQuotes } from '@/server/payments/open-quote';
import { claimSent, forgetUnsigned, freeInterrupted } from '@/server/payments/recover-payments';
import { storedWire } from '@/server/payments/read-payment-header';
import {
  prolongReservationsOfSent,
  releaseReservationsOf,
} from '@/server/receipts/reserve-transaction';
import { jobs } from '@/server/job-server/client';
import { tracedSteps } from './traced-steps';

/** Sent payments that one sweep checks. The next takes the rest. */
const BATCH = 20;
const QUOTES_BATCH = 5_000;
/** One poll: a payment that is still pending waits for the next sweep. */
const LOOK_MS = 2_000;
/** Longer than the time to the next sweep. */
const KEEP_RESERVED_MS = 180_000;

/**
 * Every minute, finds the outcome of payments whose request died. A payment that was never sent is
 * deleted. A landed one is `unused` until its request is repeated. One that can no longer land has
 * failed. Logs payments that stay undecided.
 */
export function sweepPayments() {
  return jobs().createFunction(
    { id: 'sweep-payments', triggers: [{ cron: '* * * * *' }], retries: 0 },
    async ({ step }) =>
      tracedSteps(step, { job: 'sweep-payments' })('sweep', () => sweepOnce(serviceContext())),
  );
}

/** One sweep. Safe to run at any time, by several processes at once. */
export async function sweepOnce(
  service: Pick<ServiceContext, 'db' | 'clock'>,
): Promise<{ freed: number; looked: number }> {
  const { db, clock } = service;
  // First, for all payments: those that this sweep does not reach must not lose their reservation.
  await prolongReservationsOfSent(db, new Date(clock.now().getTime() + KEEP_RESERVED_MS));
  await forgetUnsigned(db, clock.now());
  await deleteOldQuotes(db, QUOTES_BATCH);
  const freed = await freeInterrupted(db, clock.now());
  for (const id of freed) await releaseReservationsOf(db, id);
  const holder = randomIds.requestId();
  const claims = await claimSent(db, { holder, now: clock.now(), limit: BATCH });
  // A payment that cannot be checked stops neither the others nor the alert lines below.
  const looks = await Promise.allSettled(claims.map((claim) => lookAfter(service, claim)));
  for (const [at, look] of looks.entries())
    if (look.status === 'rejected')
      log().error({ event: 'payment_not_swept', paymentId: claims[at]?.id, err: look.reason });
  // One line for each, every minute, while it stays so.
  for (const { signature, kind, subject, reason, since } of await listUndecided(db))
    log().error({ event: 'transaction_undecided', signature, kind, subject, reason, since });
  const looked = claims.length;
  if (looked + freed.length > 0)
    log().warn({ event: 'payments_swept', freed: freed.length, looked });
  return { freed: freed.length, looked };
}

async function lookAfter(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  claim: PaymentClaim,
): Promise<void> {
  const sent = storedWire(claim.payment);
  if (!sent) throw new Error(`the sent payment ${claim.id} has no transaction on record`);
  const outcome = await settleExact({ ...sent, waitMs: LOOK_MS });
  const now = clock.now();
  const isClosed = await noteOpen(db, { claim, signature: sent.signature, outcome, now });
  if (outcome.state === 'settled') {
    const { slot } = outcome;
    if (!(await recordSettled(db, claim, { slot, now }))) return;
    await releaseClaim(db, claim, { reason: 'interrupted', now });
    await releaseReservationsOf(db, claim.id);
  } else if (isOpen(outcome) && !isClosed) {
    await releaseClaim(db, claim, { reason: outcome.state, now });
  } else {
    const reason = isOpen(outcome) ? 'closed_on_record' : outcome.reason;
    if (await recordFailed(db, claim, { reason, now })) await releaseReservationsOf(db, claim.id);
  }
}

type Open = Extract<SettledPayment, { state: 'pending' | 'undecided' }>;

function isOpen(outcome: SettledPayment): outcome is Open {
  return outcome.state === 'pending' || outcome.state === 'undecided';
}

/** Records a payment that is undecided or open for too long; whether the operator closed it. */
async function noteOpen(
  db: ServiceContext['db'],
  o: { claim: PaymentClaim; signature: string; outcome: SettledPayment; now: Date },
): Promise<boolean> {
  const { claim, signature, outcome, now } = o;
  if (!isOpen(outcome)) return false;
  const one = { kind: 'payment', subject: claim.id, signature } as const;
  if (outcome.state === 'undecided')
    return (await noteUndecided(db, { ...one, reason: outcome.reason })) === 'closed';
  const since = claim.payment.createdAt;
  const reason = 'the nodes do not decide it';
  return (await noteLongOpen(db, { ...one, reason, since, now })) === 'closed';
}
