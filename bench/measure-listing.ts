import { z } from 'zod';
import { setFaults } from '@/devnet/client/set-faults';
import { makeWallet } from '@/devnet/client/wallet';
import { SCAN_WIDTH } from '@/server/chain/fetch-transaction';
import { fetchBare, payMany, rpcCalls, type Reachable } from './measure-receipts';
import { line, median, timeAll, type Line } from './stats';

const TRANSFERS = 1_000;
const ROUNDS = 3;

const listing = z.object({ sent: z.object({ count: z.number() }) });

/**
 * A listing of 1,000 transfers, the first time and again. It is compared with fetching the same
 * transactions with the same parallelism and discarding them. Median of three alternating rounds.
 */
export async function measureListing(place: Reachable): Promise<Line[]> {
  const times = { bare: [] as number[], first: [] as number[], second: [] as number[] };
  let calls = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    // New payments for each round, because no transaction is read a second time.
    const [payer, seller] = [makeWallet(), makeWallet()];
    console.log(`paying ${TRANSFERS} times`);
    const signatures = await payMany(place, payer, TRANSFERS, { seller: seller.address });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const bare = await timeAll(signatures, SCAN_WIDTH, (one) => fetchBare(place.rpcUrl, one));
    const first = await timeListing(place, payer.address, seller.address);
    await setFaults(place.rpcUrl, null);
    const second = await timeListing(place, payer.address, seller.address);
    calls += await rpcCalls(place.rpcUrl, new Set(['getTransaction']));
    // The first round warms up all three.
    if (round === 0) continue;
    times.bare.push(bare.totalMs);
    times.first.push(first);
    times.second.push(second);
  }
  const [bareMs, firstMs, secondMs] = [times.bare, times.first, times.second].map(median);
  const [toBare, toFirst] = [
    (firstMs ?? NaN) / (bareMs ?? NaN),
    (secondMs ?? NaN) / (firstMs ?? NaN),
  ];
  const ms = (value: number | undefined) => `${(value ?? NaN).toFixed(0)} ms`;
  return [
    line(`fetching ${TRANSFERS} transactions, ${SCAN_WIDTH} at once`, ms(bareMs)),
    line(`listing ${TRANSFERS} transfers, first time`, ms(firstMs)),
    line('  ratio to the bare fetching', toBare.toFixed(2), 'at most 1.3', toBare <= 1.3),
    line(`listing ${TRANSFERS} transfers, second time`, ms(secondMs)),
    line('  ratio to the first time', toFirst.toFixed(3), 'at most 0.1', toFirst <= 0.1),
    line('  transactions read from the chain again', String(calls), 'none', calls === 0),
  ];
}

async function timeListing(
  place: Reachable,
  wallet: string,
  counterparty: string,
): Promise<number> {
  const begun = performance.now();
  const response = await fetch(
    `${place.baseUrl}/wallet/${wallet}/receipts?counterparty=${counterparty}`,
  );
  const body: unknown = await response.json();
  const took = performance.now() - begun;
  const { count } = listing.parse(body).sent;
  if (count !== TRANSFERS) throw new Error(`${count} transfers listed, not ${TRANSFERS}`);
  return took;
}
