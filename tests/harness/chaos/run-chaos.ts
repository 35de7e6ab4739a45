import { awaitRest } from './await-rest';
import { buyReceipt } from './buy-receipt';
import { buyStatement } from './buy-statement';
import { gatherEvidence, readPaidWallet } from './gather-evidence';
import { judge, KINDS, type Purchase, type Verdict } from './judge';
import { VICTIMS, type Blow, type Victim } from './plan-blows';
import { createRandom } from './random';
import { startPlace, type Place } from './start-place';
import { strike } from './strike';

export type ChaosOptions = {
  /** The same seed gives the same kills and the same customers. */
  seed: number;
  blows: Iterable<Blow>;
  /** No kill happens later than this. Kills that began before are completed. */
  loadMs: number;
  customers: number;
  /** Nodes that the service asks. */
  nodes: 1 | 2;
  /** Longest wait of one customer for one answer, and longest wait until all work has ended. */
  patienceMs: number;
  /** Makes the sweeps run at once when only they can go on. */
  hurry: boolean;
  say(line: string): void;
};

/** Of each customer, however fast the kills follow one another. */
const LEAST_VISITS = 2;

export type ChaosReport = Verdict & { kills: Record<Victim, number>; accidents: string[] };

/**
 * Customers buy receipts in every way from two processes of the app. At the same time parts are
 * killed and restarted. After all work has ended, chain and database are compared with the requests
 * and answers.
 */
export async function runChaos(o: ChaosOptions): Promise<ChaosReport> {
  const begun = Date.now();
  const say = (line: string) => o.say(`${((Date.now() - begun) / 1_000).toFixed(1)} s: ${line}`);
  const place = await startPlace(o.nodes);
  try {
    const [service] = place.apps;
    const before = await readPaidWallet(service);
    const load = { isOver: false };
    const buying = sell(place, o, load);
    say('two processes run; customers come');
    const untilMs = Date.now() + o.loadMs;
    const kills = await strike(place.targets, { blows: o.blows, untilMs, say }).finally(
      () => (load.isOver = true),
    );
    say('everything is back');
    const purchases = await buying;
    say(`${purchases.length} requests made and answered`);
    await awaitRest(service, o);
    say('everything is at rest');
    const evidence = await gatherEvidence(service, { purchases, before });
    return { ...judge(evidence), kills, accidents: place.accidents };
  } finally {
    await place.close();
  }
}

/**
 * Each customer comes back with a new wallet, and buys in another way each time, until the load
 * ends.
 */
async function sell(place: Place, o: ChaosOptions, load: { isOver: boolean }): Promise<Purchase[]> {
  const purchases: Purchase[] = [];
  const crowd = Array.from({ length: o.customers }, async (_, n) => {
    const random = createRandom(o.seed + n + 1);
    for (let visit = n; visit < n + LEAST_VISITS || !load.isOver; visit += 1) {
      const kind = KINDS[visit % KINDS.length] ?? 'free';
      const deal = { apps: place.apps, random, patienceMs: o.patienceMs };
      const bought = kind === 'statement' ? buyStatement(deal) : buyReceipt(deal, kind);
      purchases.push(await bought);
    }
  });
  await Promise.all(crowd);
  return purchases;
}

/** The report as lines of text. */
export function describeReport({ kills, byKind, all, faults, accidents }: ChaosReport): string[] {
  const columns = [
    'requests',
    'receipts',
    'nfts',
    'payments',
    'lost',
    'doubled',
    'unpaid',
  ] as const;
  const line = (name: string, cells: (string | number)[]) =>
    name.padEnd(12) + cells.map((cell) => String(cell).padStart(10)).join('');
  return [
    `kills: ${VICTIMS.map((victim) => `${victim} ${kills[victim]}`).join(', ')}`,
    line(
      '',
      columns.map((name) => (name === 'nfts' ? 'NFTs' : name)),
    ),
    ...KINDS.map((kind) =>
      line(
        kind,
        columns.map((column) => byKind[kind][column]),
      ),
    ),
    line(
      'all',
      columns.map((column) => all[column]),
    ),
    ...accidents.map((accident) => `ended without a kill: ${accident}`),
    ...faults,
  ];
}

/** Whether nothing was lost, doubled or unpaid, and no part ended without a kill. */
export function isClean({ faults, accidents }: ChaosReport): boolean {
  return faults.length + accidents.length === 0;
}
