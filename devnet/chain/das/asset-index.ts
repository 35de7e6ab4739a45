import {
  getMintV2InstructionDataSerializer,
  type LeafSchema,
  type MetadataArgsV2,
} from '@metaplex-foundation/mpl-bubblegum';
import { unwrapOption } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { decodeEvent, type TreeEvent } from '@/devnet/chain/bubblegum/events';
import { BUBBLEGUM, NOOP } from '@/devnet/chain/bubblegum/program-ids';
import type { TxRecord } from '@/devnet/chain/emulator';

export type LeafV2 = Extract<LeafSchema, { __kind: 'V2' }>;

export type IndexedAsset = {
  id: string;
  tree: string;
  leaf: LeafV2;
  /** Base58. */
  leafHash: string;
  metadata: MetadataArgsV2;
  collection: string | null;
  /** Change of the tree that appended the leaf. */
  sequence: number;
  signature: string;
  slot: number;
};

/** A tree's nodes by heap number (1 is the root); the missing ones are empty. */
export type IndexedTree = { depth: number; nodes: Map<number, Uint8Array> };

/** Assets in the order they were minted. */
export type AssetIndex = { assets: Map<string, IndexedAsset>; trees: Map<string, IndexedTree> };

export function emptyIndex(): AssetIndex {
  return { assets: new Map(), trees: new Map() };
}

/**
 * Takes a transaction of the ledger into the index, reading only what an indexer of the real chain reads:
 * the noop events among the inner instructions, and the metadata in the mint's own data.
 */
export function indexTransaction(index: AssetIndex, record: TxRecord): void {
  if (record.meta.err !== null) return;
  record.message.compiledInstructions.forEach((ix, i) => {
    if (record.keys[ix.programIdIndex] !== BUBBLEGUM) return;
    let leaf: Extract<TreeEvent, { kind: 'leaf' }> | null = null;
    for (const event of eventsOf(record, i)) {
      if (event.kind === 'leaf') leaf = event;
      else {
        applyChange(index, event);
        if (leaf) addAsset(index, { record, data: ix.data, leaf, change: event });
        leaf = null;
      }
    }
  });
}

function eventsOf(record: TxRecord, index: number): TreeEvent[] {
  const inner = record.meta.innerInstructions.find((group) => group.index === index);
  return (inner?.instructions ?? []).flatMap((ix) => {
    const event = record.keys[ix.programIdIndex] === NOOP ? decodeEvent(ix.data) : null;
    return event ? [event] : [];
  });
}

type ChangeEvent = Extract<TreeEvent, { kind: 'change' }>;

function applyChange(index: AssetIndex, { tree, change }: ChangeEvent): void {
  const indexed = index.trees.get(tree) ?? { depth: change.path.length - 1, nodes: new Map() };
  index.trees.set(tree, indexed);
  for (const { node, index: number } of change.path)
    indexed.nodes.set(number, Uint8Array.from(node));
}

function addAsset(
  index: AssetIndex,
  mint: {
    record: TxRecord;
    data: Uint8Array;
    leaf: Extract<TreeEvent, { kind: 'leaf' }>;
    change: ChangeEvent;
  },
): void {
  const { leaf, leafHash } = mint.leaf;
  const metadata = readMetadata(mint.data);
  if (leaf.__kind !== 'V2' || !metadata) return;
  index.assets.set(leaf.id, {
    id: leaf.id,
    tree: mint.change.tree,
    leaf,
    leafHash: bs58.encode(leafHash),
    metadata,
    collection: unwrapOption(metadata.collection),
    sequence: Number(mint.change.change.sequence),
    signature: mint.record.signature,
    slot: mint.record.slot,
  });
}

function readMetadata(data: Uint8Array): MetadataArgsV2 | null {
  try {
    return getMintV2InstructionDataSerializer().deserialize(data)[0].metadata;
  } catch {
    return null;
  }
}
