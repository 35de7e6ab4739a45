import { setTimeout as sleep } from 'node:timers/promises';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';

type Blockhash = { blockhash: string; lastValidBlockHeight: bigint };

/** Blocks by which a node may be ahead of the next. */
const MOST_APART = 300n;
/** Nodes answer within some tens of milliseconds. One that is silent for longer is not waited for. */
const PATIENCE_MS = 1_000;

/**
 * The blockhash with the highest last valid height of those that the nodes tell. One that lags or stands still
 * tells a lower height, by which a transaction would count as expired while it can still land. Throws
 * RpcUnavailable or RpcRefused when no node answers.
 */
export async function newestBlockhash(asked: readonly Promise<Blockhash>[]): Promise<Blockhash> {
  const told: Blockhash[] = [];
  const troubles: Error[] = [];
  const all = Promise.all(
    asked.map(async (one) => {
      try {
        told.push(await one);
      } catch (error) {
        if (!isNodeSilence(error)) throw error;
        troubles.push(error);
      }
    }),
  );
  await Promise.race([all, sleep(PATIENCE_MS, undefined, { ref: false })]);
  if (told.length === 0) await all;
  const [first, second, ...others] = told.sort((a, b) => compare(b, a));
  if (!first) throw troubles[0] ?? new RpcUnavailable('There is no node to ask for a blockhash');
  // Of three or more, one that is far above all others tells no height that anything could ever reach.
  const isAlone = second && first.lastValidBlockHeight - second.lastValidBlockHeight > MOST_APART;
  return isAlone && others.length > 0 ? second : first;
}

function compare(a: Blockhash, b: Blockhash): number {
  return Number(a.lastValidBlockHeight - b.lastValidBlockHeight);
}
