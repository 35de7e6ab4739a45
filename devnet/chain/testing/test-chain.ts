import { setTimeout as sleep } from 'node:timers/promises';
import {
  Connection,
  Keypair,
  SystemProgram,
  Transaction,
  type Commitment,
  type PublicKey,
} from '@solana/web3.js';
import { startChain, type StartChainOptions } from '../start-chain';

/**
 * web3.js still asks for the block height for up to a second. A closed port would end the process.
 */
const POLLER_MS = 1_200;

/**
 * A chain on free ports with quick slots, and helpers for tests. With `stopped`, slots pass only
 * when the test lets them.
 */
export async function startTestChain(o: StartChainOptions & { stopped?: boolean } = {}) {
  let nowMs = Date.now();
  const { stopped, ...options } = o;
  const running = await startChain({
    slotMs: 50,
    finalityLag: 8,
    ...(stopped ? { nowMs: () => nowMs } : {}),
    ...options,
  });
  const { url, chain } = running;
  let isPolled = false;
  /** Waits for slots to pass. Where time is stopped, lets them pass. */
  async function slots(count: number) {
    const ms = count * chain.clock.slotMs;
    if (stopped) {
      nowMs += ms;
      return;
    }
    const end = chain.slot() + count;
    await sleep(ms);
    // A timer may fire a millisecond before its time.
    while (chain.slot() < end) await sleep(1);
  }

  async function post(path: string, body: unknown) {
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  /** One raw call. `error` or `result` as the node returned it. */
  async function call(method: string, params: unknown[] = [], at = url): Promise<Answer> {
    const response = await fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as Answer;
  }

  return {
    ...running,
    post,
    call,
    slots,
    connect(commitment: Commitment = 'confirmed') {
      isPolled = true;
      return new Connection(url, commitment);
    },
    /** A wallet with play money that is already confirmed. */
    async wallet(o: { sol?: number; token?: string; amount?: string } = { sol: 10 }) {
      const wallet = Keypair.generate();
      const answer = await post('/faucet', { wallet: wallet.publicKey.toBase58(), ...o });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      await slots(2);
      return wallet;
    },
    /** A signed transfer of lamports that was not sent. */
    transfer(o: { from: Keypair; to: PublicKey; lamports: number; blockhash?: string }): Buffer {
      const transaction = new Transaction({
        feePayer: o.from.publicKey,
        blockhash: o.blockhash ?? chain.latestBlockhash().blockhash,
        lastValidBlockHeight: 0,
      }).add(
        SystemProgram.transfer({
          fromPubkey: o.from.publicKey,
          toPubkey: o.to,
          lamports: o.lamports,
        }),
      );
      transaction.sign(o.from);
      return transaction.serialize();
    },
    async send(wire: Uint8Array, config: object = {}) {
      return call('sendTransaction', [
        Buffer.from(wire).toString('base64'),
        { encoding: 'base64', preflightCommitment: 'processed', ...config },
      ]);
    },
    async status(signature: string, at = url): Promise<Status | null> {
      const { result } = await call('getSignatureStatuses', [[signature]], at);
      return (result as { value: (Status | null)[] }).value[0] ?? null;
    },
    async close() {
      if (isPolled) await sleep(POLLER_MS);
      await running.close();
    },
  };
}

export type TestChain = Awaited<ReturnType<typeof startTestChain>>;
export type Answer = {
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
};
export type Status = { confirmationStatus: string; slot: number; err: unknown };
