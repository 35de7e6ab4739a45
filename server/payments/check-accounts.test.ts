import { createServer } from 'node:http';
import { z } from 'zod';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpc } from '@/server/chain/rpc';
import { RpcRefused } from '@quittance/verify/chain/rpc-errors';
import { checkAccounts, witnessFault, withWitness } from './check-accounts';
import { startShop, tokenAccount, USDT, type Shop } from './facilitator/exact.fixture';

type Env = Parameters<typeof checkAccounts>[0]['env'];

let shop: Shop;
let env: Env;
const storageNode = { price: '0', balance: '0', status: 200 };
const server = createServer((request, response) => {
  const isPrice = request.url?.startsWith('/price/');
  response.writeHead(storageNode.status);
  response.end(isPrice ? storageNode.price : JSON.stringify({ balance: storageNode.balance }));
});

beforeAll(async () => {
  shop = await startShop();
  const minter = await shop.chain.wallet({ sol: 1 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  env = {
    network: 'local',
    payTo: shop.payTo.toBase58(),
    feePayer: shop.parts.feePayer,
    minter: { secret: minter.secretKey, publicKey: minter.publicKey.toBase58() },
    storage: shop.parts.feePayer,
    storageUploadUrl: `http://127.0.0.1:${port}`,
    mintPriorityFeeMicroLamports: 20_000,
  };
});
afterAll(async () => {
  server.close();
  await shop.close();
});

const check = (change: Partial<Env> = {}) =>
  checkAccounts({ rpc: shop.parts.rpc, env: { ...env, ...change } });
const closed = (reason: string) => ({ open: false, reason });
const emptyKey = () => {
  const { publicKey, secretKey } = Keypair.generate();
  return { secret: secretKey, publicKey: publicKey.toBase58() };
};

describe('paid routes', () => {
  it('are open when the receiver’s account is there and nothing runs dry', async () => {
    expect(await check()).toEqual({ open: true });
  });

  it('are closed while a node answers with a refusal', async () => {
    const refuse = () => Promise.reject(new RpcRefused('getBalance', -32010, 'not indexed', null));
    const rpc = { getBalance: refuse, getAccountInfo: refuse };
    expect(await checkAccounts({ rpc, env })).toEqual(
      closed('a Solana node refuses to return the accounts'),
    );
  });

  it('are closed while the receiver has no USDC account', async () => {
    expect(await check({ payTo: emptyKey().publicKey })).toEqual(
      closed('the USDC account that fees are paid to does not exist'),
    );
  });

  it.each<[string, string, (data: Uint8Array) => void]>([
    ['is frozen', 'the USDC account that fees are paid to is frozen', (data) => (data[108] = 2)],
    [
      'is for another token',
      'the account that fees are paid to is no USDC account of its wallet',
      (data) => data.set(USDT.toBytes(), 0),
    ],
    [
      'was given to another owner',
      'the account that fees are paid to is no USDC account of its wallet',
      (data) => data.fill(7, 32, 64),
    ],
  ])('are closed while the receiver’s account %s', async (_, reason, change) => {
    const { chain } = shop.chain;
    const wallet = await shop.chain.wallet({ token: 'USDC', amount: '1' });
    const address = tokenAccount(wallet.publicKey).toBase58();
    const account = chain.get(address);
    if (!account) throw new Error('no account');
    const data = Uint8Array.from(account.data);
    change(data);
    chain.set(address, { ...account, data });
    expect(await check({ payTo: wallet.publicKey.toBase58() })).toEqual(closed(reason));
  });

  it('stay open for payments that clients send themselves while the fee payer runs low', async () => {
    expect(await check({ feePayer: emptyKey() })).toEqual({
      open: true,
      notSettled: 'the fee payer runs low on SOL',
    });
    expect(await check({ feePayer: emptyKey(), minter: emptyKey() })).toEqual(
      closed('the minter runs low on SOL'),
    );
  });

  it('are closed before the minter runs dry, and no balance is shown', async () => {
    expect(await check({ minter: emptyKey() })).toEqual(closed('the minter runs low on SOL'));
  });

  it('are closed while storage costs more than is left there, and not while it is silent', async () => {
    Object.assign(storageNode, { price: '10', balance: '1999' });
    expect(await check()).toEqual(closed('the storage balance runs low'));
    storageNode.balance = '2000';
    expect(await check()).toEqual({ open: true });
    storageNode.status = 503;
    expect(await check()).toEqual({ open: true });
  });

  it('are closed while no node answers', async () => {
    const rpc = createRpc({ urls: ['http://127.0.0.1:1'], timeoutMs: 100 });
    expect(await checkAccounts({ rpc, env })).toEqual(closed('no Solana node answers'));
  });

  it('send no payment of x402 and say that others wait, while one alone of several nodes answers', async () => {
    const { url } = shop.chain;
    const dead = 'http://127.0.0.1:1';
    const fault = (...urls: string[]) => witnessFault(createRpc({ urls, timeoutMs: 2_000 }));
    const few = 'fewer than two of our Solana nodes answer';
    expect(await fault(url, dead)).toBe(few);
    expect(await fault(dead, dead, url)).toBe(few);
    expect(await fault(url, dead, url)).toBeNull();
    expect(await fault(url)).toBeNull();
    expect(withWitness({ open: true }, few)).toEqual({
      open: true,
      notSettled: few,
      countsLater: few,
    });
    const poor = { open: true as const, notSettled: 'the fee payer runs low on SOL' };
    expect(withWitness(poor, few)).toMatchObject({ notSettled: `${poor.notSettled}; ${few}` });
    expect(withWitness(poor, null)).toEqual(poor);
    expect(withWitness({ open: false, reason: 'closed' }, few)).toEqual(closed('closed'));
  });
});
