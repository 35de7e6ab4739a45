import { setTimeout as sleep } from 'node:timers/promises';
import { isNodeSilence, RpcUnavailable } from './rpc-errors';

type Blockhash = { blockhash: string; lastValidBlockHeight: bigint };

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
  const [first, ...others] = told;
  if (!first) throw troubles[0] ?? new RpcUnavailable('There is no node to ask for a blockhash');
  return others.reduce(
    (most, one) => (one.lastValidBlockHeight > most.lastValidBlockHeight ? one : most),
    first,
  );
}
