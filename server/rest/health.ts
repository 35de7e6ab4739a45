import { z } from 'zod';
import { awaitsRebuild } from '@/server/admin/awaits-rebuild';
import { probeState } from '@/server/admin/job-probe';
import type { ServiceContext } from '@/server/context';
import { poolStates } from '@/server/db/client';
import { limitStoreState } from '@/server/limit-store';
import { treeSpace } from '@/server/nft/trees';
import {
  clockSkew,
  describeSkew,
  paidRoutesState,
  skewFault,
} from '@/server/payments/check-accounts';
import { ledgerState } from '@/server/payments/ledger/scan-ledger';
import { isDraining } from '@/server/stopping';
import { serviceContext } from '@/server/use-cases/service';
import { json } from './respond';

/** `GET /health`: `parts` are all that the service works with, by name. */
export const healthBody = z.object({
  success: z.boolean(),
  status: z.enum(['ok', 'degraded']),
  ready: z.boolean(),
  network: z.string(),
  degraded: z.array(z.string()),
  affected: z.record(z.string(), z.string()),
  parts: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
});

/** `reason` where it is not. */
export const readyBody = z.object({
  success: z.boolean(),
  ready: z.boolean(),
  reason: z
    .string()
    .optional()
    .describe('Reason why it takes no requests. Absent if it takes them.'),
});
export const liveBody = z.object({
  success: z.boolean(),
  reason: z.string().optional().describe('Reason for a restart. Absent if none is needed.'),
});

/** A load balancer asks often. The parts are checked once in this time. */
const CACHED_MS = 1_000;
/** A pool without any progress for so long does not recover. The process should be replaced. */
const MOST_STUCK_S = 60;

/** A pool that got no connection back for so long is no crowd that moves on. */
const CROWDED_S = 3;

type Kept<T> = { at: number; answer: Promise<T> };
let parts: Kept<Record<string, PartState>> | undefined;
let database: Kept<PartState> | undefined;

/**
 * `GET /health`: everything the service works with. 200 with `status` `ok`, or `degraded` with the parts that are
 * missing and what that affects; 503 only where `/health/ready` is 503 as well.
 */
export async function serveHealth(): Promise<Response> {
  const service = serviceContext();
  parts = keep(parts, () => lookAtParts(service));
  const states = await parts.answer;
  const degraded = Object.keys(states).filter((part) => states[part]?.ok === false);
  const isReady = states['database']?.ok === true && !isDraining();
  return json(isReady ? 200 : 503, {
    success: isReady,
    status: degraded.length === 0 ? 'ok' : 'degraded',
    ready: isReady,
    network: service.env.network,
    degraded,
    affected: Object.fromEntries(degraded.map((part) => [part, AFFECTED[part] ?? ''])),
    parts: states,
  });
}

/**
 * `GET /health/ready`: whether a load balancer should send requests to this process. It should not
 * while the process is stopping or does not reach its database. Parts that all processes share
 * (node, storage, job server) do not count. Otherwise one outage would take every process out, and
 * with them everything that still works.
 */
export async function serveReady(): Promise<Response> {
  if (isDraining()) return notReady('stopping');
  const service = serviceContext();
  database = keep(database, () => lookAtDatabase(service));
  const state = await database.answer;
  if (!state.ok && !isCrowded()) return notReady(`database ${state.detail}`);
  // Under way for up to seconds: a stop may have been asked for meanwhile.
  if (isDraining()) return notReady('stopping');
  return json(200, { success: true, ready: true });
}

/**
 * `GET /health/live`: whether this process should be let live. Not when its database connections have been stuck
 * for a minute, which a new process cures and waiting does not.
 */
export async function serveLive(): Promise<Response> {
  const stuckS = poolStates().find(({ name }) => name === 'main')?.stuckS ?? 0;
  if (stuckS < MOST_STUCK_S) return json(200, { success: true });
  const reason = `no database connection came free for ${Math.round(stuckS)} s`;
  return json(503, { success: false, reason });
}

/**
 * Whether the check itself only waits for its turn: all connections are in use and come back. The crowd is served late, and
 * without this process the others would have it as well.
 */
function isCrowded(): boolean {
  const pool = poolStates().find(({ name }) => name === 'main');
  return (
    pool !== undefined && pool.waiting > 0 && pool.lent >= pool.size && pool.stuckS < CROWDED_S
  );
}

const notReady = (reason: string): Response => json(503, { success: false, ready: false, reason });

function keep<T>(known: Kept<T> | undefined, look: () => Promise<T>): Kept<T> {
  const now = performance.now();
  return known && now - known.at < CACHED_MS ? known : { at: now, answer: look() };
}

export type PartState = { ok: boolean; detail: string };

/** Longest one part may take to answer. */
const CHECK_MS = 3_000;

/** The effects of a missing part, for everyone to read. */
const AFFECTED: Readonly<Record<string, string>> = {
  database: 'everything but the fixed pages',
  chain: 'verification, payments and new receipts wait; receipts on record can be read',
  storage: 'new receipts and statements wait for their files; nothing is lost',
  jobs: 'new receipts and statements wait for their NFT; nothing is lost',
  trees: 'new receipts wait for their NFT until a tree has space',
  ledger: 'the books differ from the chain; sales continue',
  payments:
    'the ways to pay that the part names are closed; payments already made are still accepted',
  clock: 'sales are closed; payments already made are still accepted',
  limits: 'free reads continue uncounted; paid routes and free receipts answer 503',
};

/** Checks everything that the service works with. A part names itself in `AFFECTED`. */
async function lookAtParts(service: ServiceContext): Promise<Record<string, PartState>> {
  return lookAt(checks(service));
}

/** The state of the database from this process. */
async function lookAtDatabase(service: ServiceContext): Promise<PartState> {
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
      if (space.left <= 0n) throw new Error('no tree has space: run npm run tree:create');
      return `space for ${space.left}`;
    },
    ledger: async () => {
      const { differences } = await ledgerState(db);
      // An alert and no fault of the service: sales do not depend on it.
      const differs = differences.some(({ amountRaw }) => amountRaw !== 0n);
      return differs ? 'differs from the chain' : 'agrees with the chain';
    },
    payments: async () => {
      if (await awaitsRebuild(service))
        throw new Error('closed: the database was restored and is not rebuilt yet');
      const state = await paidRoutesState();
      if (!state.open) throw new Error(`closed: ${state.reason}`);
      if (state.notSettled !== undefined)
        throw new Error(
          `partly: only payments that clients send themselves, none by x402 v1 and v2: ${state.notSettled}`,
        );
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
