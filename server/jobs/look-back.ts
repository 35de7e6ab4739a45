import { serviceContext } from '@/server/use-cases/service';
import type { ServiceContext } from '@/server/context';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { databaseNow } from '@/server/db/database-clock';
import { log } from '@/server/log';
import { claimMint, releaseMint } from '@/server/nft/mint-rows';
import { expiredAttempts, landedAsTold, recordLateLanding } from '@/server/nft/look-again';
import { endedWithoutMoney } from '@/server/payments/find-payment';
import { reviveLanded } from '@/server/payments/recover-payments';
import { jobs } from '@/server/job-server/client';
import { requestMint } from '@/server/job-server/send-events';
import { tracedSteps } from './traced-steps';

/** How far back it looks. */
const LOOKED_BACK_MS = 7 * 86_400_000;
/** Signatures in one question to a node. */
const BATCH = 200;
const LEASE_MS = 60_000;

/** `unread`: what no node answered enough about today. Each is checked on seven days. */
type Looked = { looked: number; landed: number; unread: number };
type Context = Pick<ServiceContext, 'db' | 'rpc'>;

/**
 * Once a day, checks again every transaction that ended as expired or failed in the last 7 days,
 * and repairs those that landed after all. A payment becomes its payer's to use, a mint is
 * recorded, and a second NFT is noted as such. The parts do not depend on each other: a failing
 * part is logged, and the run ends as failed after the others have run.
 */
export function lookBack() {
  return jobs().createFunction(
    { id: 'look-back', triggers: [{ cron: '41 4 * * *' }], retries: 3 },
    async ({ step }) => {
      const run = tracedSteps(step, { job: 'look-back' });
      const payments = await settled(run('payments', () => lookAtPayments(serviceContext())));
      const mints = await settled(run('mints', () => lookAtMints(serviceContext())));
      for (const part of [payments, mints]) if ('error' in part) throw part.error;
      return { payments, mints };
    },
  );
}

/** The result of a part, or why it failed. The next part runs in either case. */
async function settled<T>(part: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await part };
  } catch (error) {
    return { error };
  }
}

/** One check of the payments that ended without money. Safe to run at any time. */
export async function lookAtPayments({ db, rpc }: Context): Promise<Looked> {
  const since = new Date((await databaseNow(db)).getTime() - LOOKED_BACK_MS);
  const sum: Looked = { looked: 0, landed: 0, unread: 0 };
  for (let after = ''; ;) {
    const page = await endedWithoutMoney(db, { since, after, limit: BATCH });
    for (const payment of page) {
      const outcome = await revive({ db, rpc }, payment);
      if (outcome !== 'as_it_was') sum[outcome] += 1;
    }
    sum.looked += page.length;
    after = page.at(-1)?.id ?? after;
    if (page.length < BATCH) return noteUnread('payments', sum);
  }
}

/** A payment that no node answers about today does not stop the check of the others. */
async function revive(
  { db, rpc }: Context,
  payment: Awaited<ReturnType<typeof endedWithoutMoney>>[number],
): Promise<'landed' | 'unread' | 'as_it_was'> {
  try {
    const revived = await reviveLanded({ db, rpc, now: await databaseNow(db) }, payment);
    if (!revived) return 'as_it_was';
    const { id: paymentId, signature } = revived;
    log().error({ event: 'payment_landed_after_all', paymentId, signature, was: payment.reason });
    return 'landed';
  } catch (error) {
    if (isNodeSilence(error)) return 'unread';
    throw error;
  }
}

/** One check of the mint transactions that ended without an NFT. Safe to run at any time. */
export async function lookAtMints({ db, rpc }: Context): Promise<Looked> {
  const since = new Date((await databaseNow(db)).getTime() - LOOKED_BACK_MS);
  const sum: Looked = { looked: 0, landed: 0, unread: 0 };
  for (let after = 0n; ;) {
    const page = await expiredAttempts(db, { since, after, limit: BATCH });
    const { landed, unwitnessed, isWhole } = await landedAsTold(rpc, page);
    for (const attempt of landed) if (await repair(db, attempt)) sum.landed += 1;
    sum.unread += isWhole ? unwitnessed.length : page.length - landed.length;
    sum.looked += page.length;
    after = page.at(-1)?.id ?? after;
    if (page.length < BATCH) return noteUnread('mints', sum);
  }
}

function noteUnread(part: string, looked: Looked): Looked {
  if (looked.unread > 0) log().warn({ event: 'look_back_unread', part, ...looked });
  return looked;
}

type Attempt = Parameters<typeof recordLateLanding>[0]['attempt'];

/** Whether it was recorded. A mint that a worker holds is left to the next day. */
async function repair(db: Context['db'], attempt: Attempt): Promise<boolean> {
  const now = await databaseNow(db);
  const { mintId: id, signature } = attempt;
  const claimed = await claimMint({ db, id, owner: 'look-back', leaseMs: LEASE_MS, now });
  if (!claimed) return false;
  const { mint, fence } = claimed;
  try {
    const outcome = await recordLateLanding({ db, attempt, fence, now });
    if (outcome === 'duplicate') log().error({ event: 'second_nft', mintId: id, signature });
    else log().error({ event: 'mint_landed_after_all', mintId: id, signature, outcome });
    if (outcome === 'later' || outcome === 'lost_lease') return false;
  } finally {
    await releaseMint({ db, id, fence });
  }
  await requestMint(mint, mint.redrives + 1);
  return true;
}
