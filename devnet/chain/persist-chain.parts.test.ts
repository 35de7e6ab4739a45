import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleProgram } from '@/tests/harness/bundle-program';
import { freePort } from '../free-port';
import { PLANTED_MINTS } from './addresses';
import { readTokenAccount } from './token-state';
import { startTestChain, type Answer } from './testing/test-chain';

const USDC = new PublicKey(PLANTED_MINTS[0]?.mint ?? '');
const children: ChildProcess[] = [];
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'chain-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const someone = () => Keypair.generate().publicKey;
const journal = () => join(dataDir, 'chain', 'journal.jsonl');

test('a restart keeps history, balances, keys and blockhashes, and never goes back in slots', async () => {
  const before = await startTestChain({ dataDir, slotMs: 400 });
  const from = await before.wallet({ sol: 2, token: 'USDC', amount: '3' });
  const to = someone();
  const sent = await before.send(before.transfer({ from, to, lamports: 1_000_000 }));
  const signature = sent.result as string;
  const read: [string, unknown[]] = ['getTransaction', [signature, { commitment: 'confirmed' }]];
  await before.slots(2);
  const recorded = (await before.call(...read)).result;
  const slot = before.chain.slot();
  const early = before.transfer({ from, to, lamports: 1_000_000 + 1 });
  const genesis = before.chain.clock.genesisHash;
  await before.close();

  const after = await startTestChain({ dataDir, slotMs: 400 });
  expect(after.faucetAddress).toBe(before.faucetAddress);
  expect(after.chain.clock.genesisHash).toBe(genesis);
  expect(after.chain.slot()).toBeGreaterThanOrEqual(slot);
  expect((await after.call(...read)).result).toEqual(recorded);
  expect(after.chain.get(to.toBase58())?.lamports).toBe(1_000_000n);
  const tokens = getAssociatedTokenAddressSync(USDC, from.publicKey).toBase58();
  expect(readTokenAccount(after.chain.get(tokens))?.amount).toBe(3_000_000n);
  const lines = await after.call('getSignaturesForAddress', [
    to.toBase58(),
    { commitment: 'confirmed' },
  ]);
  expect(lines.result).toMatchObject([{ signature }]);
  expect((await after.send(early)).error).toBeUndefined();
  const again = await after.post('/faucet', { wallet: to.toBase58(), token: 'USDC', amount: 1 });
  expect(again.status).toBe(200);
  await after.close();
});

test('a last line that was cut off is dropped, and all before it is kept', async () => {
  const before = await startTestChain({ dataDir });
  const from = await before.wallet();
  const to = someone();
  await before.send(before.transfer({ from, to, lamports: 1_000_000 }));
  await before.close();
  const whole = readFileSync(journal());
  const last = whole.subarray(whole.lastIndexOf(10, whole.length - 2) + 1);
  appendFileSync(journal(), last.subarray(0, last.length - 20));

  const after = await startTestChain({ dataDir });
  expect(after.chain.get(to.toBase58())?.lamports).toBe(1_000_000n);
  const next = await after.send(after.transfer({ from, to, lamports: 2_000_000 }));
  expect(next.error).toBeUndefined();
  await after.close();
  const third = await startTestChain({ dataDir });
  expect(third.chain.get(to.toBase58())?.lamports).toBe(3_000_000n);
  await third.close();
});

test('a vanished transaction stays gone after a restart', async () => {
  const before = await startTestChain({ dataDir, slotMs: 300, finalityLag: 40 });
  const from = await before.wallet();
  const [to, other] = [someone(), someone()];
  const sent = await before.send(before.transfer({ from, to, lamports: 1_000_000 }));
  await before.send(before.transfer({ from, to: other, lamports: 2_000_000 }));
  await before.post('/_faults', { vanish: { signature: sent.result, afterSlots: 1 } });
  await before.slots(2);
  expect(await before.status(sent.result as string)).toBeNull();
  await before.close();

  const after = await startTestChain({ dataDir, slotMs: 300, finalityLag: 40 });
  expect(await after.status(sent.result as string)).toBeNull();
  expect(after.chain.get(to.toBase58())).toBeNull();
  expect(after.chain.get(other.toBase58())?.lamports).toBe(2_000_000n);
  const left = 10_000_000_000n - 2_000_000n - 5_000n;
  expect(after.chain.get(from.publicKey.toBase58())?.lamports).toBe(left);
  await after.close();
});

test('kill -9 of the process in the middle of sends loses nothing that was answered', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const from = Keypair.generate();
  let child = await startMain(port);
  await post(`${url}/faucet`, { wallet: from.publicKey.toBase58(), sol: 100 });
  await sleep(100);
  const { value } = (await call(url, 'getLatestBlockhash', [{ commitment: 'processed' }]))
    .result as { value: { blockhash: string } };

  const answered: { signature: string; to: string }[] = [];
  let isDown = false;
  const sender = async () => {
    while (!isDown) {
      const to = someone();
      const transaction = new Transaction({
        feePayer: from.publicKey,
        blockhash: value.blockhash,
        lastValidBlockHeight: 0,
      }).add(
        SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: 1_000_000 }),
      );
      transaction.sign(from);
      const wire = transaction.serialize().toString('base64');
      const options = { encoding: 'base64', preflightCommitment: 'processed' };
      const answer = await call(url, 'sendTransaction', [wire, options]).catch(() => null);
      if (answer?.error) throw new Error(answer.error.message);
      if (answer?.result) answered.push({ signature: String(answer.result), to: to.toBase58() });
    }
  };
  const senders = Promise.all([sender(), sender(), sender(), sender()]);
  await expect.poll(() => answered.length).toBeGreaterThan(20);
  child.kill('SIGKILL');
  await once(child, 'exit');
  isDown = true;
  await senders;

  child = await startMain(port);
  for (const { signature, to } of answered) {
    const { result } = await call(url, 'getSignatureStatuses', [
      [signature],
      { searchTransactionHistory: true },
    ]);
    expect(result).toMatchObject({ value: [{ err: null }] });
    const balance = await call(url, 'getBalance', [to, { commitment: 'processed' }]);
    expect(balance.result).toMatchObject({ value: 1_000_000 });
  }
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

async function startMain(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [await bundleProgram('devnet/chain/main.ts')], {
    env: { ...process.env, QUITTANCE_DATA_DIR: dataDir, CHAIN_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
      if (/^ready /m.test(said)) resolve();
    });
    child.once('exit', () => reject(new Error(`the chain ended: ${said}`)));
  });
  return child;
}

async function post(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
}

async function call(url: string, method: string, params: unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', body });
  return (await response.json()) as Answer;
}
