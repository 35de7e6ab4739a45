import { serviceContext } from '@/server/api/service-context';
import { forgetOld } from '@/server/jurisdiction/forget-jurisdictions';
import { forgetWaiting } from '@/server/payments/cool-down';
import { deleteSkipped } from '@/server/registrations/list-fee-due';
import { deleteExpired } from '@/server/wallets/take-once';
import { jobs } from './client';
import { tracedSteps } from './traced-steps';

/** Rows in one statement. */
const BATCH = 10_000;
/** Well past what a look through a history goes back. */
const SKIPPED_KEPT_MS = 30 * 86_400_000;
/** Far past the cool-down that asks for it. */
const WAITING_KEPT_MS = 86_400_000;

/** Once a day, deletes what is kept for a time only: countries of payers, sessions, skipped transfers. */
export function tidyUp() {
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
