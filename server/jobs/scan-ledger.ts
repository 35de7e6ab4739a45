import { serviceContext } from '@/server/use-cases/service';
import { log } from '@/server/log';
import { confirmEntries, type Confirmed } from '@/server/payments/ledger/confirm-entries';
import { reconcile } from '@/server/payments/ledger/reconcile';
import { scanLedger, type Scanned } from '@/server/payments/ledger/scan-ledger';
import { jobs } from '@/server/job-server/client';
import { tracedSteps } from './traced-steps';

/** A scan begins nothing new after this long: the next one begins with the next minute. */
const MOST_MS = 45_000;
/** Two nodes are asked about rows for this long. The next minute continues. */
const CONFIRM_MS = 10_000;
/** A week of slots of 400 ms. Movements that two nodes hide for longer show in the balances. */
const WEEK_SLOTS = 1_512_000n;

/** Every minute, brings the ledger of PAY_TO up to date with the chain, and checks new rows against two nodes. */
export function scanLedgerJob() {
  return jobs().createFunction(
    { id: 'scan-ledger', triggers: [{ cron: '* * * * *' }], retries: 0 },
    async ({ step }) => {
      const run = tracedSteps(step, { job: 'scan-ledger' });
      const scanned = await run('scan', () => scanAndSay({ mostMs: MOST_MS }));
      const confirmed = await run('confirm', confirmAndSay);
      return { ...scanned, confirmed };
    },
  );
}

/** Once a day, reads the last week of the histories again, and then closes the books of the day. */
export function reconcileJob() {
  return jobs().createFunction(
    { id: 'reconcile-ledger', triggers: [{ cron: '41 0 * * *' }], retries: 3 },
    async ({ step }) => {
      const run = tracedSteps(step, { job: 'reconcile-ledger' });
      const scanned = await run('scan', () =>
        scanAndSay({ mostMs: MOST_MS, overlapSlots: WEEK_SLOTS }),
      );
      const tokens = await run('reconcile', async () => {
        const books = await reconcile(serviceContext().db);
        for (const { token, difference, unbacked, unexplained } of books)
          if (difference !== 0n || unbacked !== 0n || unexplained !== 0n)
            log().error({
              event: 'ledger_not_reconciled',
              token,
              difference: difference.toString(),
              unbacked: unbacked.toString(),
              unexplained: unexplained.toString(),
            });
        return books.length;
      });
      return { ...scanned, tokens };
    },
  );
}

async function confirmAndSay(): Promise<Confirmed> {
  const confirmed = await confirmEntries(serviceContext(), { mostMs: CONFIRM_MS });
  const { corrected, undecided } = confirmed;
  if (corrected.length > 0) log().error({ event: 'ledger_corrected', ...confirmed });
  else if (undecided > 0) log().warn({ event: 'ledger_not_confirmed', ...confirmed });
  return confirmed;
}

async function scanAndSay(o: Parameters<typeof scanLedger>[1]): Promise<Scanned> {
  const scanned = await scanLedger(serviceContext(), o);
  const { noted, differing, troubles } = scanned;
  if (differing > 0 || troubles.length > 0) log().warn({ event: 'ledger_scanned', ...scanned });
  else if (noted > 0) log().info({ event: 'ledger_scanned', ...scanned });
  return scanned;
}
