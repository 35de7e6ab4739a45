import bs58 from 'bs58';
import { emptyNode } from '@/devnet/chain/bubblegum/node-hash';
import type { IndexedAsset, IndexedTree } from './asset-index';

export type AssetProof = {
  root: string;
  proof: string[];
  node_index: number;
  leaf: string;
  tree_id: string;
};

/** The nodes beside an asset's path, from the leaf's neighbour up to the root's child, all in base58. */
export function proveAsset(asset: IndexedAsset, tree: IndexedTree): AssetProof {
  const nodeIndex = 2 ** tree.depth + Number(asset.leaf.nonce);
  const nodeAt = (number: number, height: number) =>
    bs58.encode(tree.nodes.get(number) ?? emptyNode(height));
  const proof = Array.from({ length: tree.depth }, (_, height) =>
    nodeAt((nodeIndex >>> height) ^ 1, height),
  );
  return {
    root: nodeAt(1, tree.depth),
    proof,
    node_index: nodeIndex,
    leaf: asset.leafHash,
    tree_id: asset.tree,
  };
}
