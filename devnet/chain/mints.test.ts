import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTreeV2,
  mintV2,
  parseLeafFromMintV2Transaction,
} from '@metaplex-foundation/mpl-bubblegum';
import {
  generateSigner,
  keypairIdentity,
  none,
  type KeypairSigner,
  type Umi,
} from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import bs58 from 'bs58';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chain } from './chain';
import { loadPrograms } from './load-programs';
import { persistChain } from './persist-chain';
import { startTestChain, type TestChain } from './testing/test-chain';

const options = {
  confirm: { commitment: 'confirmed' },
  send: { preflightCommitment: 'confirmed' },
} as const;
let dataDir: string;
let node: TestChain;
let umi: Umi;
let tree: KeypairSigner;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chain-'));
  node = await startTestChain({ dataDir, slotMs: 100, finalityLag: 60 });
  umi = createUmi(node.url, 'confirmed');
  const me = generateSigner(umi);
  umi.use(keypairIdentity(me));
  await node.post('/faucet', { wallet: me.publicKey, sol: 10 });
  await node.slots(2);
  tree = generateSigner(umi);
  const builder = await createTreeV2(umi, { merkleTree: tree, maxDepth: 5, maxBufferSize: 8 });
  await builder.sendAndConfirm(umi, options);
});
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await node.close();
  rmSync(dataDir, { recursive: true });
});

async function mint(name: string) {
  const { signature } = await mintV2(umi, {
    merkleTree: tree.publicKey,
    leafOwner: umi.identity.publicKey,
    metadata: { name, uri: 'ar://x', sellerFeeBasisPoints: 0, collection: none(), creators: [] },
  }).sendAndConfirm(umi, options);
  return { signature, leaf: await parseLeafFromMintV2Transaction(umi, signature) };
}

test('a mint that vanishes leaves tree and index unchanged, and the next takes its place', async () => {
  const first = await mint('first');
  const { signature, leaf } = await mint('second');
  expect([first.leaf.nonce, leaf.nonce]).toEqual([0n, 1n]);
  expect((await node.call('getAsset', [leaf.id])).result).toMatchObject({ id: leaf.id });
  const vanish = { signature: bs58.encode(signature), afterSlots: 1 };
  expect((await node.post('/_faults', { vanish })).status).toBe(200);
  await node.slots(2);

  expect((await node.call('getAsset', [leaf.id])).error).toBeDefined();
  const next = await mint('third');
  expect(next.leaf.nonce).toBe(1n);
  const { result } = await node.call('getAsset', [next.leaf.id]);
  expect(result).toMatchObject({ content: { metadata: { name: 'third' } } });
});

test('trees, assets and proofs survive a restart, with the journal compacted or not', async () => {
  const { leaf } = await mint('kept');
  const proof = (await node.call('getAssetProof', [leaf.id])).result;
  const treeData = node.chain.get(tree.publicKey)?.data;
  const folder = join(dataDir, 'chain');
  const size = () => statSync(join(folder, 'journal.jsonl')).size;
  const before = size();
  for (const compactFromBytes of [Infinity, 0, Infinity]) {
    const chain = new Chain({ finalityLag: 60 });
    loadPrograms(chain, null);
    const journal = persistChain(chain, folder, { compactFromBytes });
    await journal.close();
    expect(chain.get(tree.publicKey)?.data).toEqual(treeData);
    expect([...chain.txs.keys()]).toEqual([...node.chain.txs.keys()]);
  }
  expect(size()).not.toBe(before);

  const again = await startTestChain({ dataDir });
  expect((await again.call('getAssetProof', [leaf.id])).result).toEqual(proof);
  await again.close();
});
