import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchMerkleTree, getCurrentRoot } from '@metaplex-foundation/mpl-account-compression';
import {
  burnV2,
  createTreeV2,
  delegateV2,
  fetchTreeConfigFromSeeds,
  findLeafAssetIdPda,
  getAssetWithProof,
  getMerkleProofAtIndex,
  getMerkleRoot,
  hash,
  hashLeafV2,
  mintV2,
  mplBubblegum,
  parseLeafFromMintV2Transaction,
  transferV2,
  TokenStandard,
  type MetadataArgsV2Args,
} from '@metaplex-foundation/mpl-bubblegum';
import { createCollection, fetchCollection } from '@metaplex-foundation/mpl-core';
import type { DasApiInterface } from '@metaplex-foundation/digital-asset-standard-api';
import {
  generateSigner,
  keypairIdentity,
  none,
  publicKey,
  some,
  type KeypairSigner,
  type PublicKey,
  type RpcInterface,
  type Umi,
} from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import bs58 from 'bs58';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startChain, type RunningChain } from '@/devnet/chain/start-chain';
import { collectionAccount } from './test-collection';
import { BUBBLEGUM, MPL_CORE, SYSTEM } from './program-ids';

// Hashing is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

type DasUmi = Umi & { rpc: RpcInterface & DasApiInterface };

let dataDir: string;
let running: RunningChain;
let umi: DasUmi;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chain-clients-'));
  running = await startChain({ dataDir, slotMs: 100, finalityLag: 100 });
  umi = connect(running.url);
});

afterAll(async () => {
  // web3.js asks for the block height up to a second after a confirmation, and throws without an
  // answer.
  await sleep(1_200);
  await running.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a tree and a mint made by the public client read back as it expects', async () => {
  const tree = await makeTree({ maxDepth: 5, maxBufferSize: 8, canopyDepth: 2 });
  const owner = generateSigner(umi).publicKey;
  const mints: PublicKey[] = [];
  for (let i = 0; i < 3; i++) {
    const sent = await mint({ tree, owner, metadata: metadata(`Receipt ${i}`) });
    const leaf = await parseLeafFromMintV2Transaction(umi, sent.signature);
    expect(leaf).toMatchObject({ __kind: 'V2', owner, delegate: owner, nonce: BigInt(i) });
    expect(leaf.id).toBe(findLeafAssetIdPda(umi, { merkleTree: tree, leafIndex: i })[0]);
    mints.push(leaf.id);
  }

  const config = await fetchTreeConfigFromSeeds(umi, { merkleTree: tree });
  expect(config).toMatchObject({ numMinted: 3n, totalMintCapacity: 32n, isPublic: false });
  const account = await fetchMerkleTree(umi, tree);
  expect(account.treeHeader).toMatchObject({ maxDepth: 5, maxBufferSize: 8 });
  const leaves = mints.map((_, leafIndex) =>
    publicKey(
      hashLeafV2(umi, {
        merkleTree: tree,
        owner,
        leafIndex,
        metadata: metadata(`Receipt ${leafIndex}`),
      }),
    ),
  );
  const root = publicKey(getCurrentRoot(account.tree));
  expect(root).toBe(getMerkleRoot(leaves, 5));

  for (const [i, id] of mints.entries()) {
    const answer = await umi.rpc.getAssetProof(id);
    expect(answer.proof).toEqual(getMerkleProofAtIndex(leaves, 5, i));
    expect(answer).toMatchObject({ root, leaf: leaves[i], node_index: 32 + i, tree_id: tree });
    expect(climb(answer)).toBe(root);
  }
  const owned = await umi.rpc.getAssetsByOwner({ owner });
  expect(owned.items.map((asset) => asset.id)).toEqual([...mints].reverse());
  expect(owned.items[0]).toMatchObject({
    interface: 'MplBubblegumV2',
    content: { metadata: { name: 'Receipt 2' }, json_uri: 'https://receipts.test/Receipt 2' },
    creators: [{ address: umi.identity.publicKey, share: 100, verified: true }],
    ownership: { owner, delegate: null },
    mutable: false,
  });
  const short = await getAssetWithProof(umi, mints[1] ?? tree, { truncateCanopy: true });
  expect(short.proof).toHaveLength(3);
});

test('a full tree is the typed error of the public client', async () => {
  const tree = await makeTree({ maxDepth: 3, maxBufferSize: 8 });
  const fill = Array.from({ length: 8 }, (_, i) => mint({ tree, metadata: metadata(`Fill ${i}`) }));
  await Promise.all(fill);
  await expect(mint({ tree, metadata: metadata('One too many') })).rejects.toMatchObject({
    name: 'InsufficientMintCapacity',
    code: 6017,
  });
});

test('forty mints sent at once to one tree all land, each with its own leaf', async () => {
  const tree = await makeTree({ maxDepth: 14, maxBufferSize: 64, canopyDepth: 8 });
  const owner = generateSigner(umi).publicKey;
  const names = Array.from({ length: 40 }, (_, i) => `Parallel ${i}`);
  const signatures = await Promise.all(
    names.map(async (name) => (await mint({ tree, owner, metadata: metadata(name) })).signature),
  );
  const leaves = await Promise.all(
    signatures.map((signature) => parseLeafFromMintV2Transaction(umi, signature)),
  );
  expect(leaves.map((leaf) => Number(leaf.nonce)).sort((a, b) => a - b)).toEqual(
    names.map((_, i) => i),
  );
  const owned = await umi.rpc.getAssetsByOwner({ owner });
  expect(owned.items.map((asset) => asset.content.metadata.name).sort()).toEqual(names.sort());
  const root = publicKey(getCurrentRoot((await fetchMerkleTree(umi, tree)).tree));
  for (const { id } of leaves) expect(climb(await umi.rpc.getAssetProof(id))).toBe(root);
});

test('a mint into a collection counts in it and is found by it', async () => {
  const tree = await makeTree({ maxDepth: 3, maxBufferSize: 8 });
  const coreCollection = generateSigner(umi).publicKey;
  plantCollection(coreCollection, { authority: umi.identity.publicKey, plugin: true });
  const sent = await mint({ tree, coreCollection, metadata: metadata('In', coreCollection) });
  const { id } = await parseLeafFromMintV2Transaction(umi, sent.signature);

  const transaction = running.chain.txs.get(bs58.encode(sent.signature));
  const [first] = transaction?.meta.innerInstructions[0]?.instructions ?? [];
  expect(transaction?.keys[first?.programIdIndex ?? 0]).toBe(MPL_CORE);
  const planted = { authority: umi.identity.publicKey, plugin: true };
  const expected = collectionAccount({ ...planted, minted: 8, size: 6 });
  expect(running.chain.get(coreCollection)?.data).toEqual(expected.data);
  const group = { groupKey: 'collection' as const, groupValue: coreCollection };
  const found = await umi.rpc.getAssetsByGroup(group);
  expect(found.items.map((asset) => asset.id)).toEqual([id]);
});

test('a collection made by the official client exists, costs its rent and accepts mints', async () => {
  const tree = await makeTree({ maxDepth: 3, maxBufferSize: 8 });
  const collection = generateSigner(umi);
  const held = await umi.rpc.getBalance(umi.identity.publicKey);
  const texts = { name: 'Receipts', uri: 'https://receipts.test/collection' };
  const plugins = [
    { type: 'BubblegumV2' as const },
    { type: 'PermanentFreezeDelegate' as const, frozen: true },
  ];
  await createCollection(umi, { collection, ...texts, plugins }).sendAndConfirm(umi);
  const account = running.chain.get(collection.publicKey);
  const left = await umi.rpc.getBalance(umi.identity.publicKey);
  const rent = running.chain.rent(account?.data.length ?? 0);
  expect(account?.lamports).toBe(rent);
  // The fee has two more signatures.
  expect(held.basisPoints - left.basisPoints).toBe(rent + 10_000n);

  await mint({
    tree,
    coreCollection: collection.publicKey,
    metadata: metadata('In', collection.publicKey),
  });
  expect(await fetchCollection(umi, collection.publicKey)).toMatchObject({
    ...texts,
    updateAuthority: umi.identity.publicKey,
    numMinted: 1,
    currentSize: 1,
    bubblegumV2: { authority: { type: 'Address', address: BUBBLEGUM } },
    permanentFreezeDelegate: { frozen: true, authority: { type: 'UpdateAuthority' } },
  });
  await expect(
    createCollection(umi, { collection, ...texts, plugins }).sendAndConfirm(umi),
  ).rejects.toThrow();
});

test.each([
  ['another authority', { authority: publicKey(SYSTEM), plugin: true }, 'collection', 6028],
  ['no Bubblegum plugin', { plugin: false }, 'collection', 6049],
  ['metadata that names none', { plugin: true }, 'none', 6021],
  ['metadata that names another', { plugin: true }, 'other', 6036],
] as const)('a mint into a collection with %s fails', async (_what, planted, named, code) => {
  const tree = await makeTree({ maxDepth: 3, maxBufferSize: 8 });
  const coreCollection = generateSigner(umi).publicKey;
  plantCollection(coreCollection, { authority: umi.identity.publicKey, ...planted });
  const collection = { collection: coreCollection, none: undefined, other: tree }[named];
  await expect(
    mint({ tree, coreCollection, metadata: metadata('Never', collection) }),
  ).rejects.toMatchObject({ code });
});

test('an NFT is moved and then burnt by the public client, and the index follows', async () => {
  const tree = await makeTree({ maxDepth: 3, maxBufferSize: 8 });
  const sent = await mint({ tree, metadata: metadata('Moves') });
  await mint({ tree, metadata: metadata('Stays') });
  const { id } = await parseLeafFromMintV2Transaction(umi, sent.signature);
  const next = generateSigner(umi);
  const transfer = transferV2(umi, {
    ...(await getAssetWithProof(umi, id)),
    authority: umi.identity,
    newLeafOwner: next.publicKey,
  });
  await transfer.sendAndConfirm(umi);
  const moved = await getAssetWithProof(umi, id);
  expect(moved.leafOwner).toBe(next.publicKey);
  const root = publicKey(getCurrentRoot((await fetchMerkleTree(umi, tree)).tree));
  expect(climb(await umi.rpc.getAssetProof(id))).toBe(root);
  await expect(
    burnV2(umi, { ...moved, authority: umi.identity }).sendAndConfirm(umi),
  ).rejects.toMatchObject({ code: 6047 });
  await burnV2(umi, { ...moved, authority: next }).sendAndConfirm(umi);
  expect(await umi.rpc.getAsset(id)).toMatchObject({ burnt: true });
});

test('an instruction that is not emulated fails with 101 and says so', async () => {
  const tree = await makeTree({ maxDepth: 3, maxBufferSize: 8 });
  const sent = await mint({ tree, metadata: metadata('Stays') });
  const { id } = await parseLeafFromMintV2Transaction(umi, sent.signature);
  const asset = await getAssetWithProof(umi, id);
  const newLeafDelegate = generateSigner(umi).publicKey;
  const delegate = delegateV2(umi, {
    ...asset,
    leafOwner: umi.identity,
    previousLeafDelegate: umi.identity.publicKey,
    newLeafDelegate,
  });
  const failure = await delegate.sendAndConfirm(umi).then(
    () => null,
    (error: unknown) => error,
  );
  const { logs } = z.object({ logs: z.array(z.string()) }).parse(failure);
  expect(logs.join('\n')).toContain('the embedded chain does not emulate');
  expect(logs.at(-1)).toContain('custom program error: 0x65');
});

test('a mint that vanishes before finality disappears from the answers', async () => {
  const tree = await makeTree({ maxDepth: 3, maxBufferSize: 8 });
  const owner = generateSigner(umi).publicKey;
  await mint({ tree, owner, metadata: metadata('Kept') });
  const sent = await mint({ tree, owner, metadata: metadata('Gone') });
  const { id } = await parseLeafFromMintV2Transaction(umi, sent.signature);
  await fault({ vanish: { signature: bs58.encode(sent.signature), afterSlots: 1 } });
  await expect.poll(() => umi.rpc.getAssetsByOwner({ owner })).toMatchObject({ total: 1 });
  await expect(umi.rpc.getAsset(id)).rejects.toThrow(/asset not found/i);
});

test('after a restart every answer is the same', async () => {
  const search = { limit: 1000 };
  const before = await umi.rpc.searchAssets(search);
  const ids = before.items.map((asset) => asset.id);
  const proofs = await umi.rpc.getAssetProofs(ids);
  expect(ids.length).toBeGreaterThan(40);

  await sleep(1_200);
  await running.close();
  running = await startChain({ dataDir, slotMs: 100, finalityLag: 100 });
  umi = connect(running.url);
  expect(await umi.rpc.searchAssets(search)).toEqual(before);
  expect(await umi.rpc.getAssetProofs(ids)).toEqual(proofs);
});

/** An unmodified client whose wallet has 100 SOL. */
function connect(url: string): DasUmi {
  const fresh = createUmi(url, 'confirmed').use(mplBubblegum());
  const wallet: KeypairSigner = generateSigner(fresh);
  running.chain.set(wallet.publicKey, {
    lamports: 100_000_000_000n,
    owner: SYSTEM,
    data: new Uint8Array(),
    executable: false,
  });
  return fresh.use(keypairIdentity(wallet)) as DasUmi;
}

async function makeTree(shape: {
  maxDepth: number;
  maxBufferSize: number;
  canopyDepth?: number;
}): Promise<PublicKey> {
  const merkleTree = generateSigner(umi);
  const builder = await createTreeV2(umi, { merkleTree, ...shape });
  await builder.sendAndConfirm(umi);
  return merkleTree.publicKey;
}

function mint(o: {
  tree: PublicKey;
  owner?: PublicKey;
  coreCollection?: PublicKey;
  metadata: MetadataArgsV2Args;
}) {
  return mintV2(umi, {
    merkleTree: o.tree,
    leafOwner: o.owner ?? umi.identity.publicKey,
    metadata: o.metadata,
    ...(o.coreCollection ? { coreCollection: o.coreCollection } : {}),
  }).sendAndConfirm(umi);
}

function metadata(name: string, collection?: PublicKey): MetadataArgsV2Args {
  return {
    name,
    symbol: 'RCPT',
    uri: `https://receipts.test/${name}`,
    sellerFeeBasisPoints: 0,
    isMutable: false,
    tokenStandard: some(TokenStandard.NonFungible),
    collection: collection ? some(collection) : none(),
    creators: [{ address: umi.identity.publicKey, share: 100, verified: true }],
  };
}

/** A collection with 7 items minted, of which 5 exist. */
function plantCollection(address: PublicKey, o: { authority: PublicKey; plugin: boolean }): void {
  running.chain.set(address, collectionAccount({ ...o, minted: 7, size: 5 }));
}

/** Hashes a leaf with its proof up to the root, base58. */
function climb(answer: { leaf: string; proof: string[]; node_index: number }): string {
  const root = answer.proof.reduce((node: Uint8Array, text, height) => {
    const other = bs58.decode(text);
    return hash((answer.node_index >>> height) & 1 ? [other, node] : [node, other]);
  }, bs58.decode(answer.leaf));
  return bs58.encode(root);
}

async function fault(body: object): Promise<void> {
  const response = await fetch(`${running.url}/_faults`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}
