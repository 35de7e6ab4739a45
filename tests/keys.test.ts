import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  hashCollection,
  mplBubblegum,
  parseLeafFromMintV2Transaction,
} from '@metaplex-foundation/mpl-bubblegum';
import { defaultPublicKey, publicKey } from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import bs58 from 'bs58';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { callRpc } from '@/devnet/client/call-rpc';
import { fundWallet } from '@/devnet/client/fund-wallet';
import type { Wallet } from '@/devnet/client/wallet';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { issuerDocument } from '@quittance/verify/receipts/issuer-document';
import { countNfts } from './harness/count-nfts';
import { documentedBlocks, runBlock } from './harness/documented-commands';
import { endLeases } from './harness/end-leases';
import { hurrySweeps } from './harness/hurry-sweeps';
import { tokenBalance } from './harness/make-payment';
import { runNode, runVerify } from './harness/run-command';
import { signOffer } from './harness/sign-offer';
import { restartChanged } from './harness/start-app';
import { startService, type TestService } from './harness/start-service';
import { makeSale, offerOf } from './harness/use-payments';
import { awaitClosed, call, freshReceipt, makePair, mint, pay } from './harness/use-service';

/** The keys that replace the first ones, all in one restart. */
const next = { minter: makeEmbeddedKey(), storage: makeEmbeddedKey(), feePayer: makeEmbeddedKey() };
const settings = {
  MINTER_KEY: JSON.stringify([...next.minter]),
  MINTER_KEY_FILE: '',
  STORAGE_KEY: JSON.stringify([...next.storage]),
  STORAGE_KEY_FILE: '',
  FEE_PAYER_KEY: JSON.stringify([...next.feePayer]),
  FEE_PAYER_KEY_FILE: '',
};

const PATIENCE = { timeout: 90_000, interval: 200 };

let service: TestService;
let changed: Awaited<ReturnType<typeof restartChanged>>;
let dir: string;
let oldTree: string;
let newTree: string;
/**
 * Three mints from before the change: completed, landed but not recorded, and with only its files
 * signed.
 */
let before: { done: Receipt; landed: Receipt; begun: Receipt };
/** A payment that was signed when the service still offered the old fee payer. */
let signedForOld: { sale: { signature: string; payer: Wallet }; headers: Record<string, string> };

type Receipt = { id: string; owner: string };

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'quittance-keys-'));
  service = await startService({ env: { DEVNET_SLOT_MS: '300' } });
  // Minted as by a release that had no collections.
  await service.prisma.collection.updateMany({ data: { retiredAt: new Date() } });
  const done = await freshReceipt(service);
  await awaitClosed(service, done.id);
  await service.prisma.collection.updateMany({ data: { retiredAt: null } });
  oldTree = (await service.prisma.tree.findFirstOrThrow()).address;
  newTree = await prepareChange();
  const sale = await makeSale(service);
  const answer = await mint(service, { signature: sale.signature });
  const headers = await signOffer(service, { answer, from: sale.payer, version: 'v2' });
  signedForOld = { sale, headers };
  before = { done, ...(await leaveUnfinished()) };
  changed = await restartChanged(service, settings);
  await service.fault('chain', null);
  await endLeases(service);
  await hurrySweeps(changed);
}, 480_000);
afterAll(async () => {
  // Undefined if the setup failed.
  await changed?.stop();
  await service.close();
  rmSync(dir, { recursive: true, force: true });
});

/**
 * The preparation that docs/operation/keys.md asks for: SOL for the new keys, and a tree of the new minter.
 */
async function prepareChange(): Promise<string> {
  for (const key of [next.minter, next.feePayer])
    await fundWallet(service.rpcUrl, { wallet: publicKeyOf(key), sol: 10 });
  const size = ['--depth', '14', '--buffer', '64', '--canopy', '8', '--yes'];
  const made = await runNode(['--import', 'tsx', 'scripts/tree-create.ts', ...size], {
    cwd: process.cwd(),
    env: { ...service.appEnv, ...settings },
  });
  expect(made.code, made.output).toBe(0);
  const where = { minter: publicKeyOf(next.minter) };
  return (await service.prisma.tree.findFirstOrThrow({ where })).address;
}

async function leaveUnfinished(): Promise<{ landed: Receipt; begun: Receipt }> {
  const [one, other] = [await smallPayment(), await smallPayment()];
  // The SDK tries five times to send the event. After that the job server does not know of it.
  await service.fault('runner', { dropEvents: 5 });
  const begun = await ask(one);
  const faults = async () => (await fetch(`${service.runnerUrl}/_faults`)).text();
  await vi.waitFor(async () => expect(await faults()).toContain('"dropEvents":0'), PATIENCE);
  const failing = (method: string) =>
    service.fault('chain', { failMethods: { [method]: { status: 503 } } });
  await failing('sendTransaction');
  const landed = await ask(other);
  const signed = () => service.prisma.mintAttempt.count({ where: { mintId: landed.id } });
  await vi.waitFor(async () => expect(await signed()).toBe(1), PATIENCE);
  await service.fault('chain', null);
  // The transaction is sent now, and its result is not read.
  await failing('getSignatureStatuses');
  const nfts = () => countNfts(service.rpcUrl, landed.owner);
  await vi.waitFor(async () => expect(await nfts()).toBe(1), PATIENCE);
  const where = { id: { in: [landed.id, begun.id] }, status: 'pending' as const };
  expect(await service.prisma.mint.count({ where })).toBe(2);
  return { landed, begun };
}

async function smallPayment(): Promise<{ payer: Wallet; signature: string }> {
  const { payer, seller } = await makePair(service);
  return { payer, signature: await pay(service, { from: payer, to: seller, amount: 250_000n }) };
}

async function ask(o: { payer: Wallet; signature: string }): Promise<Receipt> {
  const { status, body } = await mint(service, { signature: o.signature, wallet: o.payer });
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: String(body['receipt_id']), owner: o.payer.address };
}

it('new keys sign new items, items begun with the old keys are minted once, and all of them verify', async () => {
  const { prisma } = service;
  const rowOf = (id: string) => prisma.mint.findUniqueOrThrow({ where: { id } });
  const after = await freshReceipt(changed);

  const answer = await call(changed, '/.well-known/quittance.json');
  const issuer = issuerDocument.parse(answer.body);
  for (const [keys, key] of [
    [issuer.creators, next.minter],
    [issuer.storage_keys, next.storage],
  ] as const) {
    expect(keys).toHaveLength(2);
    expect(keys.find((one) => one.public_key === publicKeyOf(key))?.used_until).toBeNull();
    expect(keys.find((one) => one.public_key !== publicKeyOf(key))?.used_until).not.toBeNull();
  }
  writeFileSync(join(dir, 'issuer.json'), JSON.stringify(issuer));

  const rows = await prisma.collection.findMany({ where: { holds: 'receipt' } });
  const of = (isNew: boolean) => {
    const row = rows.find(({ minter }) => (minter === publicKeyOf(next.minter)) === isNew);
    return issuer.collections.find(({ address }) => address === row?.address);
  };
  const [oldOne, newOne] = [of(false), of(true)];
  expect([oldOne?.holds, newOne?.holds]).toEqual(['receipt', 'receipt']);
  const made = [
    { ...before.done, tree: oldTree, filesBy: 'old', collection: null },
    { ...before.landed, tree: oldTree, filesBy: 'old', collection: oldOne?.address },
    { ...before.begun, tree: newTree, filesBy: 'old', collection: newOne?.address },
    { ...after, tree: newTree, filesBy: 'new', collection: newOne?.address },
  ];
  for (const { id, owner, tree, filesBy, collection } of made) {
    await awaitClosed(changed, id);
    const row = await rowOf(id);
    expect([row.tree, row.attempts, row.collection]).toEqual([tree, 0, collection]);
    await expectInCollection(row, collection ?? null);
    expect(await countNfts(service.rpcUrl, owner)).toBe(1);
    const item = await prisma.storedItem.findUniqueOrThrow({ where: { id: row.metadataItemId } });
    expect(item.owner === publicKeyOf(next.storage) ? 'new' : 'old').toBe(filesBy);
  }
  const runs = await Promise.all(made.map(({ id }) => verify(id)));
  for (const { code, output } of runs) {
    expect(output).toContain('Verdict: genuine');
    expect(code).toBe(0);
  }
});

it('a payment that was signed for the old fee payer is asked for again, and charged once', async () => {
  const { sale, headers } = signedForOld;
  const { signature, payer } = sale;
  const refused = await mint(changed, { signature, headers });
  expect(refused.status, JSON.stringify(refused.body)).toBe(402);
  const { payTo } = offerOf(refused);
  const held = await tokenBalance(service, payTo);
  const again = await signOffer(changed, { answer: refused, from: payer, version: 'v2' });
  const bought = await mint(changed, { signature, headers: again });
  expect(bought.status, JSON.stringify(bought.body)).toBe(200);
  const repeat = await mint(changed, { signature, headers: again });
  expect(repeat.body).toEqual(bought.body);
  expect((await tokenBalance(service, payTo)) - held).toBe(100_000n);
});

it('a stolen minter key, after the commands of docs/operation/keys.md, counts up to the set time and no longer', async () => {
  const [revoke = '', makeKey = '', makeTree = ''] = documentedBlocks(
    'docs/operation/keys.md',
    '## A stolen minter key',
  );
  const old = publicKeyOf(next.minter);
  const early = await mintedReceipt();
  const FROM = new Date(early.at.getTime() + 1_000).toISOString();
  // The time comes from the chain, because the verifier reads it there too.
  let late = await mintedReceipt();
  while (late.at.toISOString() <= FROM) late = await mintedReceipt();
  await changed.stop();

  const at = { ...changed.appEnv, MINTER_KEY: '' };
  const NEW_FILE = join(dir, 'minter.json');
  const said = runBlock(revoke, { ...changed.appEnv, OLD_KEY: old, FROM });
  expect(said).toContain(`creator key ${old} is revoked`);
  expect(said).toContain(newTree);
  expect(said).toContain(late.id);
  const made = runBlock(makeKey, { ...at, NEW_FILE }).trim();
  await fundWallet(service.rpcUrl, { wallet: made, sol: 10 });
  const under = await runNode(['--import', 'tsx', 'scripts/tree-create.ts', '--if-none', '--yes'], {
    cwd: process.cwd(),
    env: changed.appEnv,
  });
  expect([under.code, under.output]).toEqual([1, expect.stringContaining('revoked key')]);
  runBlock(makeTree, { ...at, NEW_FILE });
  changed = await restartChanged(
    { ...service, appEnv: at },
    { MINTER_KEY: '', MINTER_KEY_FILE: NEW_FILE },
  );

  const fresh = await mintedReceipt();
  const answer = await call(changed, '/.well-known/quittance.json');
  const issuer = issuerDocument.parse(answer.body);
  const keyOf = (key: string) => issuer.creators.find((one) => one.public_key === key);
  expect(keyOf(old)).toMatchObject({ used_until: FROM, revoked_at: expect.any(String) });
  expect(keyOf(made)).toMatchObject({ used_until: null, revoked_at: null });
  expect(issuer.trees.find(({ address }) => address === newTree)?.used_until).toBe(FROM);
  writeFileSync(join(dir, 'issuer.json'), JSON.stringify(issuer));
  for (const { id } of [before.done, early, fresh])
    expect(await verify(id)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Verdict: genuine'),
    });
  const ended = await verify(late.id);
  expect(ended.code).toBe(1);
  expect(ended.output).toMatch(/failed +creator_ours/);
}, 480_000);

/** A receipt whose NFT is final, with the time of the block that minted it. */
async function mintedReceipt(): Promise<Receipt & { at: Date }> {
  const receipt = await freshReceipt(changed);
  await awaitClosed(changed, receipt.id);
  const { mintSignature } = await service.prisma.mint.findUniqueOrThrow({
    where: { id: receipt.id },
  });
  const transaction = await callRpc(service.rpcUrl, 'getTransaction', [
    mintSignature,
    { maxSupportedTransactionVersion: 0 },
  ]);
  const { blockTime } = z.looseObject({ blockTime: z.number() }).parse(transaction);
  return { ...receipt, at: new Date(blockTime * 1_000) };
}

/** The official library reads the leaf, and the index of assets the group. */
async function expectInCollection(
  row: { mintSignature: string | null; assetId: string | null },
  collection: string | null,
): Promise<void> {
  const umi = createUmi(service.rpcUrl).use(mplBubblegum());
  const signature = bs58.decode(row.mintSignature ?? '');
  const leaf = await parseLeafFromMintV2Transaction(umi, signature);
  const hash = hashCollection(collection === null ? defaultPublicKey() : publicKey(collection));
  expect(leaf.id).toBe(row.assetId);
  expect('collectionHash' in leaf && bs58.encode(leaf.collectionHash)).toBe(bs58.encode(hash));
  const asset = await callRpc(service.rpcUrl, 'getAsset', { id: row.assetId });
  const { grouping } = z.looseObject({ grouping: z.array(z.unknown()) }).parse(asset);
  expect(grouping).toEqual(
    collection === null
      ? []
      : [expect.objectContaining({ group_key: 'collection', group_value: collection })],
  );
}

function verify(id: string) {
  const trust = ['--issuer', 'issuer.json', '--rpc', service.rpcUrl];
  const proof = `${service.baseUrl}/receipt/${id}/proof`;
  return runVerify(dir, [proof, '--gateway', service.storageUrl, ...trust]);
}
