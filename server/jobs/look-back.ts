import { serviceContext } from '@/server/api/service-context';
import type { ServiceContext } from '@/server/context';
import { log } from '@/server/log';
import { claimMint } from '@/server/nft/claim-mint';
import { expiredAttempts, landedAfterAll, recordLateLanding } from '@/server/nft/landed-after-all';
import { releaseMint } from '@/server/nft/release-mint';
import { endedWithoutMoney, reviveLanded } from '@/server/payments/landed-after-all';
import { jobs } from './client';
import { sendMint } from './send-mint';
import { tracedSteps } from './traced-steps';

/** How far back it looks. */
const LOOKED_BACK_MS = 7 * 86_400_000;
/** Signatures in one question to a node. */
const BATCH = 200;
const LEASE_MS = 60_000;

/**
 * Once a day, looks once more at what ended as expired or failed in the last 7 days, and repairs what landed after
 * all: a payment becomes its payer's to use, a mint is recorded, and a second NFT is noted as such.
 */
export function lookBack() {
  return jobs().createFunction(
    { id: 'look-back', triggers: [{ cron: '41 4 * * *' }], retries: 3 },
    async ({ step }) => {
      const run = tracedSteps(step, { job: 'look-back' });
      const payments = await run('payments', () => lookAtPayments(serviceContext()));
      const mints = await run('mints', () => lookAtMints(serviceContext()));
      return { payments, mints };
    },
  );
}

async function lookAtPayments(
  service: ServiceContext,
): Promise<{ looked: number; landed: number }> {
  const { db, rpc, clock } = service;
  const since = new Date(clock.now().getTime() - LOOKED_BACK_MS);
  let [looked, landed, after] = [0, 0, ''];
  for (;;) {
    const page = await endedWithoutMoney(db, { since, after, limit: BATCH });
    for (const payment of page) {
      const revived = await reviveLanded({ db, rpc, now: clock.now() }, payment);
      if (!revived) continue;
      landed += 1;
      const { id: paymentId, signature } = revived;
      log().error({ event: 'payment_landed_after_all', paymentId, signature, was: payment.reason });
    }
    looked += page.length;
    after = page.at(-1)?.id ?? after;
    if (page.length < BATCH) return { looked, landed };
  }
}

async function lookAtMints(service: ServiceContext): Promise<{ looked: number; landed: number }> {
  const { db, rpc, clock } = service;
  const since = new Date(clock.now().getTime() - LOOKED_BACK_MS);
  let [looked, landed, after] = [0, 0, 0n];
  for (;;) {
    const page = await expiredAttempts(db, { since, after, limit: BATCH });
    for (const attempt of await landedAfterAll(rpc, page))
      if (await repair(service, attempt)) landed += 1;
    looked += page.length;
    after = page.at(-1)?.id ?? after;
    if (page.length < BATCH) return { looked, landed };
  }
}

type Attempt = Parameters<typeof recordLateLanding>[0]['attempt'];

/** Whether it was written down; a mint that somebody works on is left to the next day. */
async function repair({ db, clock }: ServiceContext, attempt: Attempt): Promise<boolean> {
  const now = clock.now();
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
  await sendMint(mint, mint.redrives + 1);
  return true;
}
