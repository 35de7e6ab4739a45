import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createData, HexSolanaSigner } from '@irys/bundles/node';
import bs58 from 'bs58';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChain } from '@/devnet/chain/start-chain';
import { makeEmbeddedKey } from '@/server/keys';
import { startStorageNode, type RunningStorageNode } from './start-storage-node';

const secret = makeEmbeddedKey();
const owner = bs58.encode(secret.subarray(32));
const signature = bs58.encode(randomBytes(64));
/** 100 KiB of data with its header is slightly over 100 KiB: 101 times the price of one. */
const ITEM_PRICE = 101n * 12n;

type Transfer = { from: string; to: string; lamports: bigint; err?: unknown };

let dataDir: string;
let node: RunningStorageNode;
let chain: Server;
/** The chain's answer. Null is a transaction that it does not know. */
let transfer: Transfer | 'pending' | null;
let nodeAddress: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storage-funding-'));
  transfer = null;
  chain = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method } = JSON.parse(Buffer.concat(chunks).toString());
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answerOf(method) }));
  });
  await new Promise<void>((resolve) => chain.listen(0, '127.0.0.1', resolve));
  await start();
});
afterEach(async () => {
  await node.close();
  chain.closeAllConnections();
  chain.close();
  await rm(dataDir, { recursive: true });
});

async function start() {
  const address = chain.address();
  const port = typeof address === 'object' ? address?.port : 0;
  node = await startStorageNode({ dataDir, port: 0, rpcUrl: `http://127.0.0.1:${port}` });
  nodeAddress = (await (await fetch(`${node.url}/info`)).json()).addresses.solana;
}

function answerOf(method: string): unknown {
  if (method === 'getSignatureStatuses')
    return { value: [transfer === null ? null : { confirmationStatus: 'confirmed' }] };
  if (transfer === null || transfer === 'pending') return null;
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(transfer.lamports, 4);
  const instructions = [{ programIdIndex: 2, accounts: [0, 1], data: bs58.encode(data) }];
  const accountKeys = [transfer.from, transfer.to, '1'.repeat(32)];
  return {
    meta: { err: transfer.err ?? null },
    transaction: { message: { accountKeys, instructions } },
  };
}

const fund = async (transaction = signature) => {
  const url = `${node.url}/account/balance/solana`;
  const body = JSON.stringify({ tx_id: transaction });
  return (await fetch(url, { method: 'POST', body })).status;
};
const balance = async (address = owner) => {
  const answer = await fetch(`${node.url}/account/balance/solana?address=${address}`);
  return BigInt((await answer.json()).balance);
};

async function postLarge(): Promise<number> {
  const signer = new HexSolanaSigner(bs58.encode(secret));
  const item = createData(randomBytes(100 * 1024), signer);
  await item.sign(signer);
  const body = new Uint8Array(item.getRaw());
  return (await fetch(`${node.url}/tx/solana`, { method: 'POST', body })).status;
}

test('a transfer is credited to its sender once it is final, and only once', async () => {
  transfer = 'pending';
  expect(await fund()).toBe(202);
  expect(await balance()).toBe(0n);
  transfer = { from: owner, to: nodeAddress, lamports: 5000n };
  const answers = await Promise.all([fund(), fund(), fund()]);
  expect(answers.sort()).toEqual([200, 400, 400]);
  expect(await balance()).toBe(5000n);
  await node.close();
  await start();
  expect(await fund()).toBe(400);
  expect(await balance()).toBe(5000n);
});

test('a transfer that is unknown, failed or to another address pays nothing in', async () => {
  expect(await fund()).toBe(400);
  transfer = { from: owner, to: nodeAddress, lamports: 5000n, err: { InstructionError: [0, 1] } };
  expect(await fund()).toBe(400);
  transfer = { from: owner, to: bs58.encode(randomBytes(32)), lamports: 5000n };
  expect(await fund()).toBe(400);
  expect(await balance()).toBe(0n);
});

test('a balance is never spent twice, however many uploads come at once', async () => {
  transfer = { from: owner, to: nodeAddress, lamports: 3n * ITEM_PRICE };
  await fund();
  const answers = await Promise.all(Array.from({ length: 8 }, () => postLarge()));
  expect(answers.sort()).toEqual([200, 200, 200, 402, 402, 402, 402, 402]);
  expect(await balance()).toBe(0n);
  await node.close();
  await start();
  expect(await balance()).toBe(0n);
});

test('on the embedded chain a transfer is pending until it is final, then credited', async () => {
  const running = await startChain({ slotMs: 50, finalityLag: 4 });
  await node.close();
  node = await startStorageNode({ dataDir, port: 0, rpcUrl: running.url });
  try {
    const answer = await fetch(`${running.url}/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wallet: nodeAddress, sol: '0.001' }),
    });
    const sent: string = (await answer.json()).signatures[0];
    expect(await fund(sent)).toBe(202);
    await expect.poll(() => fund(sent)).toBe(200);
    expect(await balance(running.faucetAddress)).toBe(1_000_000n);
  } finally {
    await running.close();
  }
});
