import { setTimeout as sleep } from 'node:timers/promises';
import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { makeWallet } from '@/devnet/client/wallet';
import { awaitAll, mintMany, payMany, restingMemory, type Place } from './measure-receipts';
import { line, percentile, type Line } from './stats';

type Visit = { isRead: boolean; ms: number; fault: string | null };
type Act = { isRead: boolean; run(): Promise<Response>; wanted: number };

const RATE = 40;
const MINUTE_S = 60;
const STEP_S = 15;
const WARM_UP_S = 5;
/** Request rates that are tried one after the other until one is too high. */
const STEPS = [60, 80, 100, 120, 150, 180, 220, 260, 300];
const READ_P95_MS = 150;
const KNOWN = 40;
/** How many of a hundred requests make a receipt, and how many get a price. */
const MINTS = 5;
const OFFERS = 10;

/**
 * Requests to a warm service at a fixed rate, whether or not earlier ones were answered. First a
 * minute at 40 a second, then higher rates until reads exceed their limit, then a minute at 40
 * again. Of a hundred requests, 85 are reads, ten ask a price, and five make a free receipt. The
 * time of an answer counts from the moment when its request was due.
 */
export async function measureLoad(place: Omit<Place, 'databaseUrl'>): Promise<Line[]> {
  console.log('receipts to read');
  const payer = makeWallet();
  const known = await payMany(place, payer, KNOWN);
  const { ids } = await mintMany(place, payer, known, 5);
  await awaitAll(place, ids);
  const [priced = ''] = await payMany(place, makeWallet(), 1, { least: 25_000_000n });
  const free = await payMany(place, payer, 2 * MINUTE_S * RATE * (MINTS / 100) + 600, {
    least: 1_000n,
  });
  const acts = makeActs({ place, payer, ids, known, priced, free });

  // A process that has just started loads the code of each kind of request first.
  console.log('warming up');
  await openLoop(acts, RATE / 2, WARM_UP_S);
  console.log(`${RATE} requests a second for a minute`);
  const memory = async () => {
    // Waits until every requested receipt is minted.
    await sleep(5_000);
    return restingMemory(place.pid);
  };
  const first = await openLoop(acts, RATE, MINUTE_S);
  const afterFirst = await memory();
  let highest = isFine(first) ? RATE : 0;
  for (const rate of highest > 0 ? STEPS : []) {
    console.log(`${rate} a second`);
    if (!isFine(await openLoop(acts, rate, STEP_S))) break;
    highest = rate;
  }
  await sleep(10_000);
  console.log(`${RATE} a second for a minute again`);
  const last = await openLoop(acts, RATE, MINUTE_S);
  const afterLast = await memory();

  const faults = [...first, ...last].flatMap(({ fault }) => fault ?? []);
  for (const fault of new Set(faults)) console.log(`fault: ${fault}`);
  const p95 = readsP95(first);
  const grown = afterLast / afterFirst - 1;
  const mb = (value: number) => `${value.toFixed(0)} MB`;
  return [
    line(
      `${RATE} requests a second for ${MINUTE_S} s, errors`,
      `${faults.length}`,
      'none',
      faults.length === 0,
    ),
    line(
      '  95 of 100 reads within',
      `${p95.toFixed(0)} ms`,
      `under ${READ_P95_MS} ms`,
      p95 < READ_P95_MS,
    ),
    line('  the highest rate at which both hold', `${highest} a second`),
    line('  resident memory after the first minute', mb(afterFirst)),
    line('  after the last', mb(afterLast), 'within 15 %', Math.abs(grown) <= 0.15),
  ];
}

/** The n-th request of the mix. */
function makeActs(o: {
  place: Pick<Place, 'baseUrl'>;
  payer: ReturnType<typeof makeWallet>;
  ids: string[];
  known: string[];
  priced: string;
  free: string[];
}): (n: number) => Act {
  const { place, ids, known } = o;
  const pick = <T>(list: readonly T[], n: number): T => {
    const one = list[n % list.length];
    if (one === undefined) throw new RangeError('nothing to pick from');
    return one;
  };
  const get = (path: string): Act => ({
    isRead: true,
    wanted: 200,
    run: () => fetch(new URL(path, place.baseUrl)),
  });
  const reads = [
    (n: number) => get(`/receipt/${pick(ids, n)}`),
    (n: number) => get(`/mint/status/${pick(ids, n)}`),
    (n: number) => get(`/verify/${pick(known, n)}`),
    (n: number) => get(`/receipt/${pick(ids, n)}/image.png`),
    (n: number) => get(`/calculate/${pick(known, n)}?country=DE`),
    () => get('/pricing'),
    (n: number) => get(`/r/${pick(ids, n)}`),
  ];
  return (n) => {
    // Spread over the hundred, not consecutive.
    const turn = (n * 37) % 100;
    if (turn < MINTS) {
      const signature = o.free.pop();
      if (signature === undefined) throw new Error('not enough payments were made beforehand');
      return {
        isRead: false,
        wanted: 200,
        run: () => askForReceipt(place.baseUrl, { wallet: o.payer, txSignature: signature }),
      };
    }
    if (turn < MINTS + OFFERS)
      return {
        isRead: false,
        wanted: 402,
        run: () => askForReceipt(place.baseUrl, { txSignature: o.priced }),
      };
    return pick(reads, n)(n);
  };
}

/** Sends `rate` requests a second for `seconds`, each when it is due, and waits for all answers. */
async function openLoop(acts: (n: number) => Act, rate: number, seconds: number): Promise<Visit[]> {
  const begun = performance.now();
  const visits: Promise<Visit>[] = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    const due = begun + (n * 1_000) / rate;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    visits.push(visit(acts(n), due));
  }
  return Promise.all(visits);
}

async function visit(act: Act, due: number): Promise<Visit> {
  let fault: string | null = null;
  try {
    const response = await act.run();
    const text = await response.text();
    if (response.status !== act.wanted)
      fault = `${response.url.replace(/[^/]{12,}/g, '…')}: ${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    fault = String(error);
  }
  return { isRead: act.isRead, ms: performance.now() - due, fault };
}

function readsP95(visits: readonly Visit[]): number {
  return percentile(
    visits.flatMap(({ isRead, ms }) => (isRead ? [ms] : [])),
    95,
  );
}

function isFine(visits: readonly Visit[]): boolean {
  return visits.every(({ fault }) => fault === null) && readsP95(visits) < READ_P95_MS;
}
