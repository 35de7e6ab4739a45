import { serviceContext } from '@/server/api/service-context';
import type { ServiceContext } from '@/server/context';
import { treeSpace } from '@/server/nft/tree-space';
import { ledgerState } from '@/server/payments/ledger/ledger-state';
import { paidRoutesState } from '@/server/payments/check-accounts';
import { clockSkew, describeSkew, skewFault } from '@/server/payments/clock-skew';
import { json } from './respond';

type PartState = { ok: boolean; detail: string };

/** Longest one part may take to answer. */
const CHECK_MS = 3_000;
/** A load balancer asks often; the parts are looked at once in this time. */
const CACHED_MS = 1_000;

let cached: { at: number; answer: Promise<HealthAnswer> } | undefined;
type HealthAnswer = {
  success: boolean;
  ready: boolean;
  network: string;
  parts: Record<string, PartState>;
};

/** Whether this instance can do its whole job now: 200, or 503 with the parts that are missing. */
export async function serveHealth(): Promise<Response> {
  const now = performance.now();
  if (!cached || now - cached.at > CACHED_MS) cached = { at: now, answer: lookAtParts() };
  const answer = await cached.answer;
  return json(answer.ready ? 200 : 503, answer);
}

async function lookAtParts(): Promise<HealthAnswer> {
  const service = serviceContext();
  const states = await Promise.all(
    Object.entries(checks(service)).map(
      async ([part, check]) => [part, await stateOf(check)] as const,
    ),
  );
  const ready = states.every(([, state]) => state.ok);
  return { success: ready, ready, network: service.env.network, parts: Object.fromEntries(states) };
}

function checks({ db, rpc, env }: ServiceContext): Record<string, () => Promise<string>> {
  return {
    database: async () => {
      await db.$queryRaw`select 1`;
      return 'answers';
    },
    chain: async () => `slot ${await rpc.getSlot('confirmed')}`,
    storage: () => reach(env.storageUploadUrl),
    jobs: () => reach(env.jobsUrl),
    trees: async () => {
      const space = await treeSpace(db, { network: env.network, minter: env.minter.publicKey });
      if (space.left <= 0n) throw new Error('no tree has room: run npm run tree:create');
      return `room for ${space.left}`;
    },
    ledger: async () => {
      const { differences } = await ledgerState(db);
      // An alert and no reason to send nobody here: what is sold does not depend on it.
      const differs = differences.some(({ amountRaw }) => amountRaw !== 0n);
      return differs ? 'differs from the chain' : 'agrees with the chain';
    },
    payments: async () => {
      const state = await paidRoutesState();
      if (!state.open) throw new Error(`closed: ${state.reason}`);
      const { notSettled } = state;
      // No reason to send nobody here: clients that send their payments themselves are served.
      return notSettled === undefined
        ? 'taken'
        : `taken, but none by x402 v1 and v2: ${notSettled}`;
    },
    clock: async () => {
      const skew = await clockSkew();
      if (skewFault(skew) !== null) throw new Error(`wrong: ${describeSkew(skew)}`);
      return describeSkew(skew);
    },
  };
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
      error instanceof Error && /^(no tree|answers|took|closed: |wrong: )/.test(error.message);
    return { ok: false, detail: known ? error.message : 'does not answer' };
  } finally {
    clearTimeout(timer);
  }
}
