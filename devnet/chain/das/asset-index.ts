import {
  getMintV2InstructionDataSerializer,
  type LeafSchema,
  type MetadataArgsV2,
} from '@metaplex-foundation/mpl-bubblegum';
import { unwrapOption } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { decodeEvent, type TreeEvent } from '@/devnet/chain/bubblegum/events';
import { discriminator, discriminatorOf } from '@/devnet/chain/bubblegum/instruction';
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
  /** The last change of the tree that concerned this leaf. */
  sequence: number;
  burnt: boolean;
  /** Newest first. */
  transactions: { signature: string; instruction: string }[];
};

/** The changes of leaves by a Bubblegum instruction, and its transaction. */
type Step = { record: TxRecord; data: Uint8Array; instruction: string };

/** A tree's nodes by heap number (1 is the root). Missing nodes are empty. */
export type IndexedTree = { depth: number; nodes: Map<number, Uint8Array> };

/** Assets in the order they were minted. */
export type AssetIndex = { assets: Map<string, IndexedAsset>; trees: Map<string, IndexedTree> };

export function emptyIndex(): AssetIndex {
  return { assets: new Map(), trees: new Map() };
}

/**
 * Instructions that change leaves. Those other than mints, transfers and burns run only with the
 * real programs.
 */
const INSTRUCTIONS = new Map(
  [
    'MintV2 TransferV2 BurnV2 DelegateV2 FreezeV2 ThawV2 DelegateAndFreezeV2 ThawAndRevokeV2',
    'SetNonTransferableV2 SetCollectionV2 UpdateMetadataV2 VerifyCreatorV2 UnverifyCreatorV2',
  ]
    .join(' ')
    .split(' ')
    .map((name) => [discriminator(snakeCase(name)), name]),
);

/**
 * Adds a transaction of the ledger to the index. It reads only data that an indexer of the real
 * chain has: the inner noop events, and the metadata in a mint's own data.
 */
export function indexTransaction(index: AssetIndex, record: TxRecord): void {
  if (record.meta.err !== null) return;
  record.message.compiledInstructions.forEach((ix, i) => {
    if (record.keys[ix.programIdIndex] !== BUBBLEGUM) return;
    const instruction = INSTRUCTIONS.get(discriminatorOf(ix.data)) ?? 'Unknown';
    const step = { record, data: ix.data, instruction };
    let leaf: LeafEvent | null = null;
    for (const event of eventsOf(record, i)) {
      if (event.kind === 'leaf') leaf = event;
      else {
        applyChange(index, event);
        if (leaf) putLeaf(index, step, leaf, event);
        else markBurnt(index, step, event);
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

type LeafEvent = Extract<TreeEvent, { kind: 'leaf' }>;
type ChangeEvent = Extract<TreeEvent, { kind: 'change' }>;

function applyChange(index: AssetIndex, { tree, change }: ChangeEvent): void {
  const indexed = index.trees.get(tree) ?? { depth: change.path.length - 1, nodes: new Map() };
  index.trees.set(tree, indexed);
  for (const { node, index: number } of change.path)
    indexed.nodes.set(number, Uint8Array.from(node));
}

function putLeaf(index: AssetIndex, step: Step, { leaf, leafHash }: LeafEvent, event: ChangeEvent) {
  if (leaf.__kind !== 'V2') return;
  const known = index.assets.get(leaf.id);
  const metadata = known?.metadata ?? readMetadata(step);
  if (!metadata) return;
  index.assets.set(leaf.id, {
    id: leaf.id,
    tree: event.tree,
    leaf,
    leafHash: bs58.encode(leafHash),
    metadata,
    collection: unwrapOption(metadata.collection),
    sequence: Number(event.change.sequence),
    burnt: false,
    transactions: [transactionOf(step), ...(known?.transactions ?? [])],
  });
}

/** A burn names no leaf. It appears as a change that leaves an empty node in its place. */
function markBurnt(index: AssetIndex, step: Step, { tree, change }: ChangeEvent): void {
  const isEmpty = change.path[0]?.node.every((byte) => byte === 0);
  if (!isEmpty || change.sequence === 0n) return;
  for (const asset of index.assets.values()) {
    if (asset.tree !== tree || Number(asset.leaf.nonce) !== change.leafIndex) continue;
    const transactions = [transactionOf(step), ...asset.transactions];
    index.assets.set(asset.id, { ...asset, burnt: true, transactions });
  }
}

function transactionOf({ record, instruction }: Step) {
  return { signature: record.signature, instruction };
}

function readMetadata({ data, instruction }: Step): MetadataArgsV2 | null {
  if (instruction !== 'MintV2') return null;
  try {
    return getMintV2InstructionDataSerializer().deserialize(data)[0].metadata;
  } catch {
    return null;
  }
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
