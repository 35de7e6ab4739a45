import {
  issueAutomaticReceipt,
  waiveFee,
  type Issued,
} from '@/server/use-cases/receipts/issue-automatic-receipt';
import { serviceContext } from '@/server/use-cases/service';
import type { ServiceContext } from '@/server/context';
import { log } from '@/server/log';
import {
  countWaived,
  forgetNoted,
  largestFeeDue,
  pickRegistrations,
  putOff,
  takeNoted,
} from '@/server/registrations/registrations';
import { lookThroughHistory } from '@/server/registrations/look-through-history';
import { dayOf, startOf } from '@/server/clock';
import { randomIds } from '@/server/ids';
import { jobs, TRANSFERS_NOTED } from '@/server/job-server/client';
import { tracedSteps } from './traced-steps';

/** Wallets that one run scans. The next run takes those that waited longest. */
const WALLETS = 100;
/** Transactions that one run handles. */
const BATCH = 200;
/** Histories and transactions in work at once. */
const WIDTH = 4;
/** A transaction that no node knows is asked about for an hour. */
const UNKNOWN_MS = 3_600_000;

/** Every minute, finds what came in to registered wallets and writes the receipts that are free. */
export function findTransfers() {
  return jobs().createFunction(
    { id: 'find-transfers', triggers: [{ cron: '* * * * *' }], retries: 0 },
    async ({ step }) => {
      const run = tracedSteps(step, { job: 'find-transfers' });
      const looked = await run('look', () => lookAtWallets(serviceContext()));
      const issued = await run('issue', () => issueNoted(serviceContext()));
      const waived = await run('waive', () => waiveFees(serviceContext()));
      return { ...looked, ...issued, ...waived };
    },
  );
}

/** Decides at once about what a webhook reported. */
export function issueReceipts() {
  return jobs().createFunction(
    { id: 'issue-receipts', triggers: [{ event: TRANSFERS_NOTED }], retries: 0 },
    async ({ step }) =>
      tracedSteps(step, { job: 'issue-receipts' })('issue', () => issueNoted(serviceContext())),
  );
}

async function lookAtWallets(service: ServiceContext): Promise<{ wallets: number; noted: number }> {
  const { db, clock } = service;
  const wallets = await pickRegistrations(db, { now: clock.now(), limit: WALLETS });
  let noted = 0;
  await inTurns(wallets, async (wallet) => {
    noted += await lookThroughHistory(service, wallet);
  });
  return { wallets: wallets.length, noted };
}

/** Decides about noted transactions that are due. Safe to run at any time, by several processes. */
async function issueNoted(service: ServiceContext): Promise<{ issued: number; waiting: number }> {
  const { db, clock } = service;
  const taken = await takeNoted(db, { now: clock.now(), limit: BATCH });
  let waiting = 0;
  await inTurns(taken, async ({ txSignature, looks, createdAt }) => {
    const holder = randomIds.requestId();
    const issued: Issued = await issueAutomaticReceipt(service, { txSignature, holder });
    const now = clock.now().getTime();
    if (issued.state === 'unknown' && now - createdAt.getTime() > UNKNOWN_MS)
      return forgetNoted(db, txSignature);
    if (issued.state === 'done') return;
    waiting += 1;
    const wait = issued.state === 'wait' ? issued : { reason: 'no node knows it yet' };
    const soon = new Date(now + Math.min(60, looks * 5) * 1000);
    await putOff(db, { until: soon, ...wait, txSignature });
  });
  return { issued: taken.length - waiting, waiting };
}

/** Waives fees within the day's limit, of the largest waiting transfers. */
async function waiveFees(service: ServiceContext): Promise<{ waived: number }> {
  const { db, clock, env } = service;
  if (!env.autoReceipts.isFeeWaived) return { waived: 0 };
  const today = startOf(dayOf(clock.now()));
  const left = env.autoReceipts.waivedADay - (await countWaived(db, today));
  // More than are waived, so that one that has to wait does not take the place of the next.
  const due = left > 0 ? await largestFeeDue(db, BATCH) : [];
  let waived = 0;
  for (const { txSignature } of due) {
    if (waived >= left) break;
    const { state } = await waiveFee(service, { txSignature, holder: randomIds.requestId() });
    if (state === 'done') waived += 1;
  }
  return { waived };
}

/** Handles a list. A failure of one entry is logged and left for a later run. */
async function inTurns<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = list.values();
  const worker = async () => {
    for (const one of waiting)
      await work(one).catch((error: unknown) => {
        log().warn({ event: 'automatic_receipts_delayed', err: error });
      });
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}
