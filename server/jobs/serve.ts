import { serve } from 'inngest/next';
import { noteAnswered } from '@/server/admin/job-probe';
import { env } from '@/server/env';
import { jobs, PROBED } from '@/server/job-server/client';
import { forgetOld } from '@/server/jurisdiction/jurisdictions';
import { forgetWaiting } from '@/server/payments/cool-down';
import { deleteSkipped } from '@/server/registrations/registrations';
import { serviceContext } from '@/server/use-cases/service';
import { deleteExpired } from '@/server/wallets/sign-in';
import { findTransfers, issueReceipts } from './find-transfers';
import { lookBack } from './look-back';
import { mintFreeNft, mintNft } from './mint-nft';
import { reconcileJob, scanLedgerJob } from './scan-ledger';
import { sweepMints } from './sweep-mints';
import { sweepPayments } from './sweep-payments';
import { sweepQuotes } from './sweep-quotes';
import { tracedSteps } from './traced-steps';

let handler: ReturnType<typeof serve> | undefined;

/** Handler for the job server's calls of our functions; made at first use, like the settings. */
export function jobsHandler(): ReturnType<typeof serve> {
  handler ??= serve({
    client: jobs(),
    functions: [
      ...[mintNft(), mintFreeNft(), sweepMints(), sweepPayments(), sweepQuotes()],
      ...[findTransfers(), issueReceipts(), lookBack(), tidyUp()],
      ...[scanLedgerJob(), reconcileJob(), answerProbe()],
    ],
    serveOrigin: env().jobsServeOrigin,
  });
  return handler;
}

/** Notes that a probe event came back: the job server has both keys, and reaches a process of ours. */
function answerProbe() {
  return jobs().createFunction(
    { id: 'answer-probe', triggers: [{ event: PROBED }], retries: 0 },
    async () => {
      await noteAnswered(serviceContext().db);
    },
  );
}

/** Rows in one statement. */
const BATCH = 10_000;
/** Well past what a scan of a history goes back. */
const SKIPPED_KEPT_MS = 30 * 86_400_000;
/** Much longer than the cool-down that needs it. */
const WAITING_KEPT_MS = 86_400_000;

/** Once a day, deletes what is kept for a time only: countries of payers, sessions, skipped transfers. */
function tidyUp() {
  return jobs().createFunction(
    { id: 'tidy-up', triggers: [{ cron: '17 3 * * *' }], retries: 3 },
    async ({ step }) =>
      tracedSteps(step, { job: 'tidy-up' })('delete', async () => {
        const { db, clock, env } = serviceContext();
        const now = clock.now();
        let forgotten = 0;
        for (let batch = BATCH; batch === BATCH; forgotten += batch)
          batch = await forgetOld(db, { years: env.jurisdictionYears, now, limit: BATCH });
        await deleteExpired(db, now);
        await forgetWaiting(db, new Date(now.getTime() - WAITING_KEPT_MS));
        await deleteSkipped(db, new Date(now.getTime() - SKIPPED_KEPT_MS));
        return { forgotten };
      }),
  );
}
