import type { ServiceContext } from '@/server/context';
import { treeSpace } from '@/server/nft/tree-space';
import { ledgerState } from '@/server/payments/ledger/ledger-state';
import { paidRoutesState } from '@/server/payments/check-accounts';
import { clockSkew, describeSkew, skewFault } from '@/server/payments/clock-skew';
import { probeState } from '@/server/admin/job-probe';
import { limitStoreState } from '@/server/limit-store';
import { awaitsRebuild } from '@/server/admin/awaits-rebuild';

export type PartState = { ok: boolean; detail: string };

/** Longest one part may take to answer. */
const CHECK_MS = 3_000;

/** What each part holds up while it is away, for everyone to read. */
export const AFFECTED: Readonly<Record<string, string>> = {
  database: 'everything but the fixed pages',
  chain: 'verification, payments and new receipts wait; receipts on record can be read',
  storage: 'new receipts and statements wait for their files; nothing is lost',
  jobs: 'new receipts and statements wait for their NFT; nothing is lost',
  trees: 'new receipts wait for their NFT until there is room',
  ledger: 'the books differ from the chain; sales go on',
  payments:
    'nothing is sold in the ways that the part names; payments already made are still accepted',
  clock: 'nothing is sold; payments already made are still accepted',
  limits: 'free reads go on uncounted; paid routes and free receipts answer 503',
};

/** Looks at everything that the service works with. A part names itself in `AFFECTED`. */
export async function lookAtParts(service: ServiceContext): Promise<Record<string, PartState>> {
  return lookAt(checks(service));
}

/** The database, as this process reaches it. */
export async function lookAtDatabase(service: ServiceContext): Promise<PartState> {
  return stateOf(() => askDatabase(service));
}

/** Each check's state, asked for at the same time. */
async function lookAt(
  parts: Readonly<Record<string, () => Promise<string>>>,
): Promise<Record<string, PartState>> {
  const states = await Promise.all(
    Object.entries(parts).map(async ([part, check]) => [part, await stateOf(check)] as const),
  );
  return Object.fromEntries(states);
}

function checks(service: ServiceContext): Record<string, () => Promise<string>> {
  const { db, rpc, env } = service;
  return {
    database: () => askDatabase(service),
    chain: async () => `slot ${await rpc.getSlot('confirmed')}`,
    storage: () => reach(env.storageUploadUrl),
    jobs: async () => {
      const answer = await reach(env.jobsUrl);
      // A database that is away is no fault of the job server.
      const fault = await probeState(db).then(
        (state) => state.fault,
        () => null,
      );
      if (fault !== null) throw new Error(`wrong: ${fault}`);
      return answer;
    },
    trees: async () => {
      const space = await treeSpace(db, { network: env.network, minter: env.minter.publicKey });
      if (space.left <= 0n) throw new Error('no tree has room: run npm run tree:create');
      return `room for ${space.left}`;
    },
    ledger: async () => {
      const { differences } = await ledgerState(db);
      // An alert and no fault of the service: what is sold does not depend on it.
      const differs = differences.some(({ amountRaw }) => amountRaw !== 0n);
      return differs ? 'differs from the chain' : 'agrees with the chain';
    },
    payments: async () => {
      if (await awaitsRebuild(service))
        throw new Error('closed: the database was restored and is not rebuilt yet');
      const state = await paidRoutesState();
      if (!state.open) throw new Error(`closed: ${state.reason}`);
      if (state.notSettled !== undefined)
        throw new Error(`partly: taken, but none by x402 v1 and v2: ${state.notSettled}`);
      return 'taken';
    },
    clock: async () => {
      const skew = await clockSkew();
      if (skewFault(skew) !== null) throw new Error(`wrong: ${describeSkew(skew)}`);
      return describeSkew(skew);
    },
    limits: async () => {
      const state = await limitStoreState();
      if (!state.ok) throw new Error(`wrong: ${state.detail}`);
      return state.detail;
    },
  };
}

async function askDatabase({ db }: ServiceContext): Promise<string> {
  await db.$queryRaw`select 1`;
  return 'answers';
}

async function reach(url: string): Promise<string> {
  const response = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(CHECK_MS),
  });
  if (response.status >= 500) throw new Error(`answers ${response.status}`);
  return 'answers';
}

/** Details name no address: the page is public. */
async function stateOf(check: () => Promise<string>): Promise<PartState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), CHECK_MS);
  });
  try {
    return { ok: true, detail: await Promise.race([check(), late]) };
  } catch (error) {
    const known =
      error instanceof Error &&
      /^(no tree|answers|took|closed: |partly: |wrong: )/.test(error.message);
    return { ok: false, detail: known ? error.message : 'does not answer' };
  } finally {
    clearTimeout(timer);
  }
}
