import type { Rpc } from '@/server/chain/rpc';
import { chargePoints, takePoints, type LimitState } from '@/server/limit-store';
import { trusted } from '@/server/trusted';

/** Calls that are charged together while a request goes on, so that the next one sees what it costs. */
const CHUNK = 50;
/** Charged with the first call, and so the least of a request that asks a node: most come to as many. */
const FIRST = 2;

export type Meter = {
  rpc: Rpc;
  /** Calls so far. */
  points(): number;
  /** Charges what is not charged yet. */
  settle(): Promise<void>;
};

/**
 * Counts the calls to Solana nodes that a request causes. The first is refused, by `refuse`, to a client
 * with no points left; a request that has begun may end, and what it took beyond is waited for afterwards:
 * half a listing is of no use to anybody.
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
