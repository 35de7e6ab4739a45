import bs58 from 'bs58';
import { beforeAll, expect, test } from 'vitest';
import { decodeLeafEvents, leafHash, rootFromProof } from '@quittance/verify/nft/leaf';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { makeEvidence, makeKey } from './evidence.fixture';

let good: ReceiptEvidence;
beforeAll(async () => {
  good = await makeEvidence();
});

/** The verdict, and what is said of the holder. */
function judge(change: Partial<ReceiptEvidence>): [verdict: string, holder: string] {
  const lines = checkReceipt({ ...good, ...change });
  return [verdictOf(lines), lines.find(({ id }) => id === 'holder_now')?.detail ?? ''];
}

const address = () => makeKey().publicKey;
function parts() {
  const { proof, tree } = good;
  const [leaf] = decodeLeafEvents(good.mintTransaction);
  if (!proof || !tree.data || !leaf) throw new Error('the fixture lacks a part');
  return { proof, leaf, data: Buffer.from(tree.data) };
}

test('a receipt that its payer moved is as genuine as before, and says who holds it now', () => {
  const owner = address();
  const { proof, leaf, data } = parts();
  const hash = leafHash({ ...leaf, owner, delegate: owner });
  const root = rootFromProof(hash, proof.siblings, leaf.leafIndex);
  data.set(bs58.decode(root), data.indexOf(bs58.decode(proof.root)));
  const asset = { ...good.asset, owner, delegate: null };
  expect(judge({ asset, proof: { ...proof, root }, tree: { ...good.tree, data } })).toEqual([
    'genuine',
    `moved since it was minted, held by ${owner} now`,
  ]);
});

/** The tree after one change more: the root of the proof is the one before the current. */
function changedSince(): ReceiptEvidence['tree'] {
  const { data } = parts();
  const active = Number(data.readBigUInt64LE(64));
  const rootAt = (place: number) => 80 + (place % 8) * 136;
  data.copy(data, rootAt(active + 7), rootAt(active), rootAt(active) + 32);
  data.fill(7, rootAt(active), rootAt(active) + 32);
  return { ...good.tree, data };
}

test('a holder from an index decides nothing against the current root of the tree', () => {
  for (const told of [{ owner: address() }, { burnt: true }]) {
    const [verdict, holder] = judge({ asset: { ...good.asset, ...told } });
    expect(verdict).toBe('genuine');
    expect(holder).toContain(`held by ${good.asset.owner ?? ''}`);
    expect(holder).toContain(`the index says ${told.owner ?? 'burnt'}`);
  }
});

test('under an earlier root of the tree, it may have been moved to the holder in the index', () => {
  const tree = changedSince();
  expect(judge({ tree })).toEqual(['genuine', `held by ${good.asset.owner ?? ''}`]);
  for (const told of [{ owner: address() }, { burnt: true }])
    expect(judge({ tree, asset: { ...good.asset, ...told } })[0]).toBe('could not be checked');
});
