import { SystemProgram, type TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryWrite } from '@/devnet/chain/testing/lighthouse-instructions';
import type { Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { makePayment, startShop, tokenAccount, type Shop } from './exact.fixture';
import { simulatePayment } from './simulate-payment';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

type Nodes = Pick<Rpc, 'simulateTransaction' | 'seeBalance'>;

/** A node that returns no balances with a simulation. */
const olderNode = (): Nodes => ({
  simulateTransaction: async (wire, o) => ({
    ...(await shop.parts.rpc.simulateTransaction(wire, o)),
    lamportsBefore: [],
  }),
  seeBalance: (address) => shop.parts.rpc.seeBalance(address),
});

/** Runs a payment that the scan has not seen, with these instructions behind the transfer. */
function run(nodes: Nodes, ...more: TransactionInstruction[]) {
  const shape = (plain: TransactionInstruction[]) => [...plain.slice(0, 3), ...more];
  const wire = makePayment(shop, { shape, units: 120_000, microLamports: 100_000 });
  return simulatePayment(nodes, {
    wireBase64: Buffer.from(wire).toString('base64'),
    blockhash: VersionedTransaction.deserialize(wire).message.recentBlockhash,
    feePayer: shop.feePayer.toBase58(),
    source: tokenAccount(shop.payer.publicKey).toBase58(),
  });
}

describe.each<[string, () => Nodes]>([
  ['that tells the balances', () => shop.parts.rpc],
  ['that does not tell the balances', olderNode],
])('a simulation by a node %s', (_, nodes) => {
  it('lets a payment pass that costs 22,000 lamports, and shows whose account it debits', async () => {
    expect(await run(nodes())).toEqual({ ok: true, owner: shop.payer.publicKey.toBase58() });
  });

  const spend = (lamports: number) =>
    SystemProgram.transfer({
      fromPubkey: shop.feePayer,
      toPubkey: shop.payer.publicKey,
      lamports,
    });
  it.each<[string, () => TransactionInstruction[]]>([
    ['a lamport more', () => [spend(1)]],
    ['the rent of four memories', () => [0, 1, 2, 3].map((id) => memoryWrite(shop.feePayer, id))],
  ])('refuses one that costs %s, even if the scan accepts it', async (__, more) => {
    expect(await run(nodes(), ...more())).toMatchObject({
      ok: false,
      reason: 'invalid_exact_svm_fee_payer_spends_too_much',
    });
  });
});

it('a simulation and a balance of two slots prove nothing', async () => {
  const drifting: Nodes = {
    ...olderNode(),
    seeBalance: async (address) => {
      const { lamports, slot } = await shop.parts.rpc.seeBalance(address);
      return { lamports, slot: slot + 1_000n };
    },
  };
  await expect(run(drifting)).rejects.toThrow(RpcUnavailable);
});

it('a node that shows no accounts proves nothing', async () => {
  const blind: Nodes = {
    ...olderNode(),
    simulateTransaction: async (wire, o) => ({
      ...(await shop.parts.rpc.simulateTransaction(wire, o)),
      accounts: [],
    }),
  };
  expect(await run(blind)).toMatchObject({
    ok: false,
    reason: 'invalid_exact_svm_transaction_simulation_failed',
  });
});

/** Runs a payment whose blockhash has the given age in blocks for the node. */
function runAged(blocks: number) {
  const { chain } = shop.chain;
  const wire = makePayment(shop, {
    blockhash: chain.latestBlockhash(chain.slot() - blocks).blockhash,
  });
  return simulatePayment(shop.parts.rpc, {
    wireBase64: Buffer.from(wire).toString('base64'),
    blockhash: VersionedTransaction.deserialize(wire).message.recentBlockhash,
    feePayer: shop.feePayer.toBase58(),
    source: tokenAccount(shop.payer.publicKey).toBase58(),
  });
}

it('a blockhash with fewer than 60 blocks left is refused, and one with more is not', async () => {
  shop.chain.chain.clock.advanceSlots(200);
  expect(await runAged(80)).toMatchObject({ ok: true });
  for (const blocks of [95, 120, 140])
    expect(await runAged(blocks)).toMatchObject({
      ok: false,
      reason: 'invalid_exact_svm_payload_blockhash_nearly_over',
    });
});

it('a node that shows no recent blockhashes is not believed', async () => {
  const silent: Nodes = {
    ...olderNode(),
    simulateTransaction: async (wire, o) => {
      const simulation = await shop.parts.rpc.simulateTransaction(wire, o);
      return { ...simulation, accounts: simulation.accounts.slice(0, 2) };
    },
  };
  await expect(run(silent)).rejects.toThrow(RpcUnavailable);
});
