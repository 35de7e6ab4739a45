import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { callRpc } from '@/devnet/client/call-rpc';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { readAnswer } from '@/devnet/client/read-answer';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { timeAll } from './stats';

/** A service that answers 503 for half a minute is not measured. */
const MOST_REPEATS = 30;

/** The running service to measure. `pid` is that of the app. */
export type Place = { baseUrl: string; rpcUrl: string; databaseUrl: string; pid: number };
export type Reachable = Pick<Place, 'baseUrl' | 'rpcUrl'>;

/**
 * Pays `count` amounts, starting at `least`, from one payer, ten at once. Returns the signatures,
 * confirmed.
 */
export async function payMany(
  place: Pick<Place, 'rpcUrl'>,
  payer: Wallet,
  count: number,
  { least = 10_000n, seller = makeWallet().address } = {},
): Promise<string[]> {
  await fundWallet(place.rpcUrl, { wallet: payer.address, sol: 5, token: 'USDC', amount: '1000' });
  const amounts = Array.from({ length: count }, (_, n) => least + BigInt(n));
  const signatures: string[] = [];
  await timeAll(amounts, 10, async (amount) => {
    signatures.push(
      await payToken(place.rpcUrl, { from: payer, to: seller, token: 'USDC', amount }),
    );
  });
  return signatures;
}

/**
 * Requests a receipt of each transaction, `width` at once. Returns the ids, the time of each
 * answer, and the number of 503 answers, which it repeats like a client.
 */
export async function mintMany(
  place: Reachable,
  payer: Wallet,
  signatures: string[],
  width: number,
) {
  const ids: string[] = [];
  let unavailable = 0;
  const timed = await timeAll(signatures, width, async (txSignature) => {
    const order = { wallet: payer, txSignature, body: { service_type: 'Benchmark' } };
    let response = await askForReceipt(place.baseUrl, order);
    for (let round = 0; response.status === 503 && round < MOST_REPEATS; round += 1) {
      unavailable += 1;
      await sleep(1_000);
      response = await askForReceipt(place.baseUrl, order);
    }
    // The answer to a repeat names the receipt that an earlier request wrote.
    const body = await readAnswer(response, response.status === 409 ? 409 : 200);
    ids.push(z.object({ receipt_id: z.string() }).parse(body).receipt_id);
  });
  return { ids, unavailable, ...timed };
}

/** Waits until every receipt is completed. Throws when one failed. */
export async function awaitAll(place: Reachable, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    for (;;) {
      const response = await fetch(`${place.baseUrl}/mint/status/${id}?wait=20`);
      const { mint_status } = z.object({ mint_status: z.string() }).parse(await response.json());
      if (mint_status === 'completed') break;
      if (mint_status === 'failed') throw new Error(`receipt ${id} failed`);
    }
}

/** RPC calls, of `methods` or all, that the chain's node counted since its counters were cleared. */
export async function rpcCalls(rpcUrl: string, methods?: ReadonlySet<string>): Promise<number> {
  const answer: unknown = await (await fetch(`${rpcUrl}/_faults`)).json();
  const { calls } = z.object({ calls: z.record(z.string(), z.number()) }).parse(answer);
  return Object.entries(calls)
    .filter(([method]) => methods?.has(method) ?? true)
    .reduce((sum, [, n]) => sum + n, 0);
}

/** Fetches a transaction from the chain's node and discards it. */
export async function fetchBare(rpcUrl: string, signature: string): Promise<void> {
  const o = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  await callRpc(rpcUrl, 'getTransaction', [signature, o]);
}

/** Follows the resident memory of a process. `stop` returns the peak in MB. */
export function watchMemory(pid: number): { stop(): number } {
  let highest = 0;
  const timer = setInterval(() => {
    const file = `/proc/${pid}/status`;
    // A failed measurement leaves the timer running when the process ends.
    if (!existsSync(file)) return;
    const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'));
    highest = Math.max(highest, Number(match?.[1] ?? 0) / 1024);
  }, 200);
  return {
    stop: () => {
      clearInterval(timer);
      return highest;
    },
  };
}

/** Resident memory in MB of an idle process. */
export async function restingMemory(pid: number): Promise<number> {
  const memory = watchMemory(pid);
  await sleep(1_000);
  return memory.stop();
}
