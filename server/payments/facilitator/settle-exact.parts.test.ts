import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Transaction, type TransactionInstruction } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { memoryWrite } from '@/devnet/chain/testing/lighthouse-instructions';
import { decodeWire } from '@quittance/verify/chain/decode-wire';
import { createRpc, type Rpc } from '@/server/chain/rpc';
import { metrics } from '@/server/metrics';
import {
  makePayment,
  payload,
  PRICE,
  startShop,
  tokenAccount,
  usdcOf,
  USDC,
  type Shop,
} from './exact.fixture';
import { settleExact, signExact } from './settle-exact';
import { verifyExact } from './verify-exact';

const WAIT = { waitMs: 10_000 };
let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

const freshPayer = () => shop.chain.wallet({ sol: 1, token: 'USDC', amount: '1' });
/** The receiver got 1 base unit when its account was opened. */
const earned = async () => (await usdcOf(shop.chain, shop.payTo)) - 1n;

it('a payment that verifies settles once, however often and from wherever it is settled', async () => {
  const wire = makePayment(shop);
  const { quote, parts } = shop;
  const verified = await verifyExact(
    { version: 2, paymentPayload: payload(2, wire), quote },
    parts,
  );
  if (!verified.ok) throw new Error(verified.reason);
  const signed = await signExact({ wire: verified.wire }, parts);
  const before = await earned();
  const other = { rpc: createRpc({ urls: [shop.chain.url], timeoutMs: 2_000 }) };
  const [one, two] = await Promise.all([
    settleExact({ ...signed, ...WAIT }, parts),
    settleExact({ ...signed, ...WAIT }, other),
  ]);
  expect(one).toMatchObject({ state: 'settled' });
  expect(two).toEqual(one);
  expect(await settleExact({ ...signed, waitMs: 0 }, parts)).toEqual(one);
  expect(await earned()).toBe(before + PRICE);
});

it('the signed bytes differ from the received ones only in the fee payer’s signature', async () => {
  const wire = makePayment(shop);
  const kept = Uint8Array.from(wire);
  const signed = await signExact({ wire }, shop.parts);
  expect(wire).toEqual(kept);
  expect(signed.wire.subarray(1 + 64)).toEqual(wire.subarray(1 + 64));
  expect(decodeWire(signed.wire)?.signatures[0]).toBe(signed.signature);
  const { lastValidBlockHeight } = await shop.parts.rpc.getLatestBlockhash();
  expect(signed.lastValidBlockHeight).toBeGreaterThan(lastValidBlockHeight - 20n);
});

it('a transaction of another fee payer is never signed', async () => {
  const wire = makePayment(shop, { feePayer: shop.payer.publicKey });
  await expect(signExact({ wire }, shop.parts)).rejects.toThrow('another key');
});

it('a payment whose money went elsewhere meanwhile has failed, once that is final', async () => {
  const payer = await freshPayer();
  const signed = await signExact({ wire: makePayment(shop, { payer }) }, shop.parts);
  await empty(payer);
  const before = await earned();
  expect(await settleExact({ ...signed, ...WAIT }, shop.parts)).toEqual({
    state: 'failed',
    reason: 'transaction_failed',
  });
  expect(await earned()).toBe(before);
});

it('a payment that no node has is pending while it may land, and expired when it cannot', async () => {
  const wire = makePayment(shop, { blockhash: USDC.toBase58() });
  const signed = await signExact({ wire }, shop.parts);
  expect(await settleExact({ ...signed, waitMs: 100 }, shop.parts)).toEqual({ state: 'pending' });
  const past = { ...signed, lastValidBlockHeight: 0n };
  expect(await settleExact({ ...past, ...WAIT }, shop.parts)).toEqual({
    state: 'expired',
    reason: 'transaction_expired',
  });
});

describe('a payment that landed at once, on a node that forgot it', () => {
  const faults = (switches: object) => shop.chain.post('/_faults', switches);
  afterEach(() => faults({ blindMs: 0, loseBlocksMs: 0 }));

  /** Signed, in a block right after it, and after the last block in which it could land. */
  async function landed() {
    const payer = await freshPayer();
    const signed = await signExact({ wire: makePayment(shop, { payer }) }, shop.parts);
    const { error } = await shop.chain.send(signed.wire, { skipPreflight: true });
    expect(error).toBeUndefined();
    shop.chain.chain.advanceSlots(250);
    return signed;
  }

  it('is found in its block', async () => {
    const signed = await landed();
    await faults({ blindMs: 60_000 });
    expect(await settleExact({ ...signed, ...WAIT }, shop.parts)).toMatchObject({
      state: 'settled',
    });
  });

  it('is undecided without its block, and settled once the node has it again', async () => {
    const signed = await landed();
    await faults({ blindMs: 60_000, loseBlocksMs: 60_000 });
    expect(await settleExact({ ...signed, ...WAIT }, shop.parts)).toMatchObject({
      state: 'undecided',
    });
    await faults({ blindMs: 0, loseBlocksMs: 0 });
    expect(await settleExact({ ...signed, ...WAIT }, shop.parts)).toMatchObject({
      state: 'settled',
    });
  });
});

it('a payment sent to silent nodes is pending, and settles when one answers again', async () => {
  const signed = await signExact({ wire: makePayment(shop) }, shop.parts);
  const silent = { rpc: createRpc({ urls: ['http://127.0.0.1:1'], timeoutMs: 100 }) };
  expect(await settleExact({ ...signed, waitMs: 500 }, silent)).toEqual({ state: 'pending' });
  expect(await settleExact({ ...signed, ...WAIT }, shop.parts)).toMatchObject({
    state: 'settled',
  });
});

it('a payment that one of two nodes alone calls landed is pending', async () => {
  const { rpc } = shop.parts;
  const payer = await freshPayer();
  const signed = await signExact({ wire: makePayment(shop, { payer }) }, shop.parts);
  const seesNothing = async (signature: string) => ({
    ...(await rpc.seeSignature(signature)),
    status: null,
  });
  const blind: Rpc = { ...rpc, seeSignature: seesNothing };
  const two = (...nodes: Rpc[]) => ({
    rpc: { ...rpc, nodes: 2, onNode: (node: number) => nodes[node] ?? blind },
  });
  const looks = { ...signed, waitMs: 2_000 };
  expect(await settleExact(looks, two(rpc, blind))).toEqual({ state: 'pending' });
  expect(await settleExact(looks, two(blind, rpc))).toEqual({ state: 'pending' });
  const { lonePayments } = metrics();
  expect(lonePayments.has(signed.signature)).toBe(true);
  expect(await settleExact(looks, two(rpc, rpc))).toMatchObject({ state: 'settled' });
  expect(lonePayments.has(signed.signature)).toBe(false);
});

it('a payment that the scan refuses is never signed, for any caller', async () => {
  const shape = (plain: TransactionInstruction[]) => [
    ...plain.slice(0, 3),
    memoryWrite(shop.feePayer, 0),
  ];
  await expect(signExact({ wire: makePayment(shop, { shape }) }, shop.parts)).rejects.toThrow(
    'payload_fee_payer_in_instruction',
  );
});

async function empty(payer: Awaited<ReturnType<typeof freshPayer>>): Promise<void> {
  const { chain } = shop;
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    ...chain.chain.latestBlockhash(),
  }).add(
    createTransferCheckedInstruction(
      tokenAccount(payer.publicKey),
      USDC,
      tokenAccount(shop.payer.publicKey),
      payer.publicKey,
      1_000_000n,
      6,
    ),
  );
  transaction.sign(payer);
  const { error } = await chain.send(transaction.serialize());
  if (error) throw new Error(JSON.stringify(error));
}
