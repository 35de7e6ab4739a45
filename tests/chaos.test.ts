import { expect, it } from 'vitest';
import { planOneRound } from './harness/chaos/plan-blows';
import { createRandom } from './harness/chaos/random';
import { describeReport, runChaos } from './harness/chaos/run-chaos';

/** The short form of `npm run test:chaos`: kills every part once, in an order that changes. */
it('two processes under load, each part killed: nothing is lost, doubled or unpaid, checked on chain', async () => {
  const seed = Date.now() % 1_000_000;
  console.log(`seed ${seed}`);
  const report = await runChaos({
    seed,
    blows: planOneRound(createRandom(seed)),
    loadMs: Infinity,
    customers: 5,
    nodes: seed % 2 === 0 ? 1 : 2,
    patienceMs: 100_000,
    hurry: true,
    say: (line) => console.log(line),
  });
  const { kills, all, faults, accidents } = report;
  console.log(describeReport(report).join('\n'));
  expect(faults).toEqual([]);
  expect(accidents).toEqual([]);
  expect(Object.values(kills)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(all.requests).toBeGreaterThanOrEqual(10);
  expect([all.receipts, all.nfts]).toEqual([all.requests, all.requests]);
}, 300_000);
