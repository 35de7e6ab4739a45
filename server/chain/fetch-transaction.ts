import { fetchTransaction, isOf } from '@quittance/verify/chain/fetch-transaction';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import type { Rpc } from './rpc';
import {
  RpcRefused,
  RpcUnavailable,
  UNSUPPORTED_VERSION,
} from '@quittance/verify/chain/rpc-errors';

/** Transactions that all scans of this process together ask for at once. */
export const SCAN_WIDTH = 16;
/** Transactions in one request, if the node accepts batches. Two requests are then under way. */
const AT_ONCE = 8;

/** How many transactions the next call of {@link fetchListed} should name. */
export function listedAtOnce(rpc: Rpc): number {
  return rpc.takesBatches() ? AT_ONCE : 1;
}

/**
 * Transactions of a history, each on its own when its turn comes. `unsupported` for one of a
 * version that the node does not return. Fails with RpcUnavailable, also for one that no node returns.
 */
export function fetchListed(
  rpc: Rpc,
  signatures: readonly string[],
): Promise<PromiseSettledResult<RawTransaction | 'unsupported'>[]> {
  return inTurn(signatures.length, async () => {
    const given = signatures.length > 1 ? await rpc.getTransactions(signatures, 'confirmed') : [];
    return Promise.allSettled(
      signatures.map(async (signature, at) => {
        const raw = given[at];
        return raw && isOf(raw, signature) ? raw : fetchAlone(rpc, signature);
      }),
    );
  });
}

async function fetchAlone(rpc: Rpc, signature: string): Promise<RawTransaction | 'unsupported'> {
  try {
    const raw = await fetchTransaction(rpc, signature);
    if (raw === null)
      throw new RpcUnavailable(`No node returns ${signature}, which a history lists`);
    return raw;
  } catch (error) {
    if (error instanceof RpcRefused && error.code === UNSUPPORTED_VERSION) return 'unsupported';
    throw error;
  }
}

let free = SCAN_WIDTH;
const queue: { width: number; start: () => void }[] = [];

/** Runs `call`, which asks for `width` transactions, when it is its turn; scans take turns. */
async function inTurn<T>(width: number, call: () => Promise<T>): Promise<T> {
  await new Promise<void>((start) => {
    queue.push({ width, start });
    admit();
  });
  try {
    return await call();
  } finally {
    free += width;
    admit();
  }
}

function admit(): void {
  for (let next = queue[0]; next && next.width <= free; next = queue[0]) {
    queue.shift();
    free -= next.width;
    next.start();
  }
}
