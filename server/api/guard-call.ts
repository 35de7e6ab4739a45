import { awaitsRebuild } from '@/server/admin/awaits-rebuild';
import type { Rpc } from '@/server/chain/rpc';
import { ServiceError } from '@/server/errors';
import { chargePoints, type LimitState, takePoints } from '@/server/limit-store';
import type { Pausable } from '@/server/settings';
import { trusted } from '@/server/trusted';
import { chargeCall, clientKey, rateLimited } from '@/server/use-cases/charge-limits';
import { callOf, type RequestContext } from './request-context';

/**
 * The first step of every procedure, for every transport: limits, pauses, and a count of the calls
 * to Solana nodes that it causes. `work` runs with the context it is given.
 */
export async function guardCall<T>(
  ctx: RequestContext,
  call: { path: string; type: 'query' | 'mutation' | 'subscription' },
  work: (ctx: RequestContext) => Promise<T>,
): Promise<T> {
  await chargeCall(callOf(ctx, null), call);
  await refusePaused(ctx, call.path);
  if (ctx.service.env.limits === null) return work(ctx);
  const meter = meterRpc(ctx.service.rpc, {
    key: clientKey(callOf(ctx, null)),
    refuse: rateLimited,
  });
  try {
    return await work({ ...ctx, service: { ...ctx.service, rpc: meter.rpc } });
  } finally {
    ctx.limits.rpcPoints += meter.points();
    await meter.settle();
  }
}

/** The procedures that each pause stops. Reads and jobs have no entry, because they continue. */
const PAUSED_BY: Readonly<Record<string, Pausable>> = {
  'receipts.create': 'mint',
  'statements.create': 'statement',
};

/** Procedures by which pages pay. Nothing is sold while a restored service reads later events from the chain. */
const HELD_BY_REBUILD: ReadonlySet<string> = new Set(['web.prepare', 'web.send', 'web.resume']);

const RETRY_AFTER_S = 60;

/** Refuses a procedure that the operator has paused, with the operator's text. */
export async function refusePaused(
  ctx: Pick<RequestContext, 'service'>,
  path: string,
): Promise<void> {
  const { pause, pauseText } = ctx.service.env;
  const part = PAUSED_BY[path];
  if (part === undefined && !HELD_BY_REBUILD.has(path)) return;
  if (await awaitsRebuild(ctx.service))
    throw new ServiceError(
      'paused',
      'The service was restored from a backup. It now restores later receipts and payments from the chain. Reads still work. Send the same request again later.',
      { retryAfterS: RETRY_AFTER_S },
    );
  if (part !== undefined && pause.has(part))
    throw new ServiceError('paused', pauseText, { retryAfterS: RETRY_AFTER_S });
}

/** Calls that are charged together during a request, so that the next one sees their cost. */
const CHUNK = 50;
/** Counted with the first call, and so the minimum of a request that asks a node. Most requests make this many. */
const FIRST = 2;

export type Meter = {
  rpc: Rpc;
  /** Calls so far. */
  points(): number;
  /** Counts the calls that are not counted yet. */
  settle(): Promise<void>;
};

/**
 * Counts the calls to Solana nodes that a request causes. The first is refused, by `refuse`, to a client
 * with no points left. A request that has begun may end, and the client waits for the excess afterwards:
 * half a listing is useless.
 */
export function meterRpc(rpc: Rpc, o: { key: string; refuse(state: LimitState): Error }): Meter {
  let calls = 0;
  let charged = 0;
  let admitted: Promise<void> | undefined;
  const admit = async (): Promise<void> => {
    charged += FIRST;
    const state = await takePoints({ name: 'rpc', key: o.key, points: FIRST });
    if (state?.isOver) throw o.refuse(state);
  };
  const charge = async (): Promise<void> => {
    const points = calls - charged;
    if (points <= 0) return;
    charged += points;
    await chargePoints({ name: 'rpc', key: o.key, points });
  };
  const count = async (questions: number): Promise<void> => {
    calls += questions;
    admitted ??= admit();
    await admitted;
    if (calls - charged >= CHUNK) await charge();
  };
  return { rpc: counted(rpc, count), points: () => calls, settle: charge };
}

/** The same methods, each counted before it is called. */
function counted(rpc: Rpc, count: (questions: number) => Promise<void>): Rpc {
  return new Proxy(rpc, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name === 'onNode')
        return (...args: unknown[]) =>
          counted(
            trusted<Rpc>(
              Reflect.apply(value, target, args),
              'onNode gives the methods of one node',
            ),
            count,
          );
      // Answered without asking.
      if (name === 'takesBatches') return value.bind(target);
      return async (...args: unknown[]): Promise<unknown> => {
        await count(name === 'getTransactions' && Array.isArray(args[0]) ? args[0].length : 1);
        return Reflect.apply(value, target, args);
      };
    },
  });
}
