import {
  deserializeMerkleTree,
  getCurrentRoot,
} from '@metaplex-foundation/mpl-account-compression';
import { getMerkleProofAtIndex, hash } from '@metaplex-foundation/mpl-bubblegum';
import { lamports, publicKey } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { treeConfigAddress } from '@/devnet/chain/bubblegum/program-ids';
import { replayVectors, steps } from '@/devnet/chain/bubblegum/vectors/replay-vectors';
import type { Chain } from '@/devnet/chain/chain';
import { RpcError } from '@/devnet/chain/rpc-error';
import { vanishTransaction } from '@/devnet/chain/vanish-transaction';
import { createDas, type DasMethods } from './create-das';

// Hashing is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Wallets and trees of the recorded transactions. */
const CREATOR = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9';
const TREE = '4Yk9HoDSfJv9QcmJbLcXdWVgS7nfvdUqiVcvbSu8VBru';

const assetSchema = z.looseObject({
  interface: z.string(),
  id: z.string(),
  compression: z.looseObject({ tree: z.string(), leaf_id: z.number(), asset_hash: z.string() }),
  ownership: z.looseObject({ owner: z.string(), delegate: z.string().nullable() }),
  creators: z.array(z.looseObject({ address: z.string(), verified: z.boolean() })),
  content: z.looseObject({
    json_uri: z.string(),
    metadata: z.looseObject({ name: z.string(), description: z.string().optional() }),
  }),
});
const listSchema = z.looseObject({
  total: z.number(),
  limit: z.number(),
  items: z.array(assetSchema),
});
const proofSchema = z.strictObject({
  root: z.string(),
  proof: z.array(z.string()),
  node_index: z.number(),
  leaf: z.string(),
  tree_id: z.string(),
});

let chain: Chain;
let das: DasMethods;
const call = async (method: string, params: unknown) => das[method]?.(params);
const all = async (params: object = {}) =>
  listSchema.parse(await call('searchAssets', params)).items;

beforeAll(() => {
  chain = replayVectors();
  das = createDas(chain).methods;
});

test('every minted leaf of the recorded transactions is an asset, and nothing else is', async () => {
  const leaves = steps.flatMap((step) =>
    step.inner
      .filter(() => step.err === null)
      .flatMap((group) => group.instructions.filter((ix) => ix.data.startsWith('0100'))),
  );
  const assets = await all();
  expect(assets).toHaveLength(leaves.length);
  expect(new Set(assets.map((asset) => asset.interface))).toEqual(new Set(['MplBubblegumV2']));
});

test('every proof leads from the leaf to the root in the tree account', async () => {
  await expectSoundProofs();
});

test('a proof has the nodes that the public client computes from all leaves', async () => {
  const assets = (await all()).filter((asset) => asset.compression.tree === TREE).reverse();
  const leaves = assets.map((asset) => publicKey(asset.compression.asset_hash));
  expect(assets.map((asset) => asset.compression.leaf_id)).toEqual(assets.map((_, i) => i));
  for (const i of [0, 1, 33, assets.length - 1]) {
    const answer = await call('getAssetProof', { id: assets[i]?.id });
    const { proof, leaf, node_index } = proofSchema.parse(answer);
    expect(proof).toEqual(getMerkleProofAtIndex(leaves, 14, i));
    expect(leaf).toBe(leaves[i]);
    expect(node_index).toBe(2 ** 14 + i);
  }
});

test('an index built from history answers like one that saw each transaction land', async () => {
  const live = replayLive();
  for (const [method, params] of [
    ['searchAssets', {}],
    ['getAssetsByCreator', { creatorAddress: CREATOR, onlyVerified: true }],
    ['getAssetProofs', { ids: (await all()).map((asset) => asset.id) }],
  ] as const)
    expect(await live[method]?.(params)).toEqual(await call(method, params));
});

test('a vanished mint leaves the index, and the mints after it move up one leaf', async () => {
  chain = replayVectors();
  das = createDas(chain).methods;
  const before = await all();
  const gone = before.find((asset) => asset.compression.leaf_id === 30);
  const signatures = await call('getAssetSignatures', { id: gone?.id });
  const [[signature]] = z
    .object({ items: z.tuple([z.tuple([z.string(), z.literal('MintV2')])]) })
    .parse(signatures).items;
  expect(vanishTransaction(chain, signature)).toBe(true);

  const after = await all();
  expect(after).toHaveLength(before.length - 1);
  expect(after.some((asset) => asset.content.json_uri === gone?.content.json_uri)).toBe(false);
  await expectSoundProofs();
  const rebuilt = createDas(chain).methods;
  expect(await rebuilt.searchAssets?.({})).toEqual(await call('searchAssets', {}));
});

describe('lists', () => {
  beforeAll(() => {
    chain = replayVectors();
    das = createDas(chain).methods;
  });

  test('by number and by cursor return every asset once, newest first', async () => {
    const ids = (await all()).map((asset) => asset.id);
    const byPage: string[] = [];
    for (let page = 1; page <= Math.ceil(ids.length / 30); page++)
      byPage.push(...(await all({ page, limit: 30 })).map((asset) => asset.id));
    expect(byPage).toEqual(ids);

    const byCursor = (await all({ limit: 40 })).map((asset) => asset.id);
    for (let cursor = byCursor.at(-1); cursor !== undefined && byCursor.length < 1000;) {
      const next = (await all({ limit: 40, cursor })).map((asset) => asset.id);
      byCursor.push(...next);
      cursor = next.at(-1);
    }
    expect(byCursor).toEqual(ids);
    const second = await all({ limit: 40, after: ids[39] });
    expect(second.map((asset) => asset.id)).toEqual(ids.slice(40, 80));
    const before = await all({ before: ids[50], limit: 10 });
    expect(before.map((asset) => asset.id)).toEqual(ids.slice(40, 50));
    const oldest = await all({ sortBy: { sortBy: 'created', sortDirection: 'asc' }, limit: 1 });
    expect(oldest[0]?.id).toBe(ids.at(-1));
  });

  test('owner, delegate, creator, tree authority and URI select their assets', async () => {
    const assets = await all();
    const owner = assets[0]?.ownership.owner ?? '';
    const owned = listSchema.parse(await call('getAssetsByOwner', { ownerAddress: owner }));
    expect(owned.items).toEqual(assets.filter((asset) => asset.ownership.owner === owner));
    const nothing = await call('getAssetsByOwner', { ownerAddress: TREE });
    expect(listSchema.parse(nothing)).toMatchObject({ total: 0, items: [] });

    const delegated = assets.filter((asset) => asset.ownership.delegate !== null);
    expect(delegated).toHaveLength(1);
    const delegateAddress = delegated[0]?.ownership.delegate;
    expect(await all({ delegateAddress })).toEqual(delegated);
    expect(await all({ delegateAddress, negate: true })).toHaveLength(assets.length - 1);

    const jsonUri = assets[3]?.content.json_uri;
    const named = assets.filter((asset) => asset.content.json_uri === jsonUri);
    expect(await all({ jsonUri })).toEqual(named);
    const either = await all({ jsonUri, delegateAddress, conditionType: 'any' });
    expect(new Set(either)).toEqual(new Set([...named, ...delegated]));

    const verified = listSchema.parse(await call('getAssetsByCreator', [CREATOR, true]));
    expect(verified.items).toEqual(assets.filter((asset) => isCreator(asset, true)));
    const any = listSchema.parse(await call('getAssetsByCreator', [CREATOR, false]));
    expect(any.items).toEqual(assets.filter((asset) => isCreator(asset, false)));
    const authorityAddress = treeConfigAddress(TREE);
    const ofTree = assets.filter((asset) => asset.compression.tree === TREE);
    expect(await all({ authorityAddress })).toEqual(ofTree);
    expect(ofTree.length).toBeLessThan(assets.length);
  });

  test('parameters in an array mean the same as named ones', async () => {
    const [asset] = await all({ limit: 1 });
    const { id, ownership } = asset ?? { id: '', ownership: { owner: '' } };
    expect(await call('getAsset', [id])).toEqual(await call('getAsset', { id, options: {} }));
    expect(await call('getAssets', [[id]])).toEqual(await call('getAssetBatch', { ids: [id] }));
    expect(await call('getAssetProofs', [[id]])).toEqual(
      await call('getAssetProofBatch', { ids: [id] }),
    );
    expect(await call('getAssetsByOwner', [ownership.owner, null, 5, 2, null, null])).toEqual(
      await call('getAssetsByOwner', { ownerAddress: ownership.owner, limit: 5, page: 2 }),
    );
    expect(await call('getAssetSignaturesV2', [id, null, null])).toEqual(
      await call('getAssetSignatures', { id }),
    );
  });
});

describe('refusals', () => {
  const id = CREATOR; // an address, but no asset
  test.each<[what: string, method: string, params: unknown]>([
    ['no id', 'getAsset', {}],
    ['no parameters', 'getAsset', undefined],
    ['an invalid address', 'getAsset', { id: 'nonsense' }],
    ['an unknown name', 'getAsset', { id, surprise: 1 }],
    ['too many values', 'getAsset', [id, 1]],
    ['one id for a list', 'getAssets', { ids: id }],
    ['more than 1000 ids', 'getAssets', { ids: Array.from({ length: 1001 }, () => id) }],
    ['a limit over 1000', 'getAssetsByOwner', { ownerAddress: id, limit: 1001 }],
    ['page 0', 'getAssetsByOwner', { ownerAddress: id, page: 0 }],
    ['page and cursor', 'getAssetsByOwner', { ownerAddress: id, page: 1, cursor: id }],
    ['a group without value', 'getAssetsByGroup', { groupKey: 'collection' }],
    ['a filter that would not filter', 'searchAssets', { royaltyAmount: 5 }],
    ['a tree without leaf', 'getAssetSignatures', { tree: id }],
  ])('%s is refused with -32602 (%s)', async (_what, method, params) => {
    await expect(call(method, params)).rejects.toMatchObject({ code: -32602 });
  });

  test('an unknown asset is an error for one and null among many', async () => {
    await expect(call('getAsset', { id })).rejects.toThrow(RpcError);
    await expect(call('getAssetProof', { id })).rejects.toMatchObject({ code: -32000 });
    expect(await call('getAssets', { ids: [id] })).toEqual([null]);
    expect(await call('getAssetProofs', { ids: [id] })).toEqual({ [id]: null });
  });
});

test('a slow metadata file delays an answer only briefly and is in a later one', async () => {
  let finish: (json: unknown) => void = () => undefined;
  const fetchJson = () => new Promise<unknown>((resolve) => (finish = resolve));
  const slow = createDas(chain, { fetchJson, jsonWaitMs: 20 }).methods;
  const id = (await all({ limit: 1 }))[0]?.id;
  const asset = async () => assetSchema.parse(await slow.getAsset?.({ id })).content.metadata;

  expect((await asset()).description).toBeUndefined();
  finish({ description: 'A receipt', image: 17 });
  await expect.poll(async () => (await asset()).description).toBe('A receipt');
});

function isCreator(asset: z.infer<typeof assetSchema>, onlyVerified: boolean): boolean {
  return asset.creators.some((c) => c.address === CREATOR && (c.verified || !onlyVerified));
}

async function expectSoundProofs(): Promise<void> {
  const assets = await all();
  expect(assets.length).toBeGreaterThan(80);
  const trees = [...new Set(assets.map((asset) => asset.compression.tree))];
  const roots = new Map(trees.map((tree) => [tree, rootOf(tree)]));
  for (const asset of assets) {
    const { proof, leaf, root, node_index } = proofSchema.parse(
      await call('getAssetProof', { id: asset.id }),
    );
    let node: Uint8Array = bs58.decode(leaf);
    proof.forEach((text, height) => {
      const other = bs58.decode(text);
      node = hash((node_index >>> height) & 1 ? [other, node] : [node, other]);
    });
    expect(bs58.encode(node)).toBe(root);
    expect(root).toBe(roots.get(asset.compression.tree));
  }
}

/** The root in the tree's account, read by the public client. */
function rootOf(tree: string): string {
  const account = chain.get(tree);
  if (!account) throw new Error(`no tree ${tree}`);
  const parsed = deserializeMerkleTree({
    publicKey: publicKey(tree),
    executable: false,
    owner: publicKey(account.owner),
    lamports: lamports(account.lamports),
    data: account.data,
  });
  return bs58.encode(getCurrentRoot(parsed.tree));
}

/** Methods over an index that existed before the first transaction. */
function replayLive(): DasMethods {
  let methods: DasMethods | null = null;
  replayVectors((running) => {
    methods ??= createDas(running).methods;
  });
  if (!methods) throw new Error('nothing was replayed');
  return methods;
}
