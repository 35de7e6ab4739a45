import {
  getBurnV2InstructionDataSerializer,
  getTransferV2InstructionDataSerializer,
  hashAssetData,
  hashCollection,
  Version,
  type TransferV2InstructionData,
} from '@metaplex-foundation/mpl-bubblegum';
import { publicKey, unwrapOption } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import type { EmuCtx } from '@/devnet/chain/emulator';
import { countOutOfCollection, refuseFrozenCollection } from './count-in-collection';
import { refuse } from './errors';
import { encodeLeaf, encodeLeafEvent } from './events';
import { nameAccounts, type NamedAccounts, readData, requireV2Programs } from './instruction';
import { invokeCompression, invokeNoop, invokeTransfer, u32 } from './invoke';
import { NODE_BYTES } from './node-hash';
import { leafAssetId, SYSTEM } from './program-ids';
import { replaceLeaf } from './replace-leaf';
import { loadTreeConfig } from './tree-config';
import { writeData } from './write-data';

const TRANSFER_ACCOUNTS = [
  'config',
  'payer',
  'authority',
  'leafOwner',
  'leafDelegate',
  'newLeafOwner',
  'tree',
  'collection',
  'noop',
  'compression',
  'system',
] as const;
const BURN_ACCOUNTS = [
  'config',
  'payer',
  'authority',
  'leafOwner',
  'leafDelegate',
  'tree',
  'collection',
  'coreCpiSigner',
  'noop',
  'compression',
  'core',
  'system',
] as const;

/** The fee of each V2 transfer, paid into the tree's settings account, as Metaplex publishes it. */
const PROTOCOL_FEE_LAMPORTS = 6_000n;
const COMPUTE_UNITS = 50_000;

/*
 * Both follow the public source of Bubblegum, and were not compared byte by byte with the real
 * programs. Of a collection's plugins only PermanentFreezeDelegate is known, and leaves have no
 * flags.
 */

/**
 * transfer_v2: moves a leaf to another owner, signed by its owner or delegate, unless its
 * collection is frozen.
 */
export function transferLeaf(ctx: EmuCtx): { computeUnits: number } {
  const accounts = nameAccounts(ctx, TRANSFER_ACCOUNTS);
  const { payer, newLeafOwner, config } = accounts.address;
  const collection = accounts.optional('collection');
  const args = readData(ctx.data, getTransferV2InstructionDataSerializer());
  checkTree(ctx, accounts);
  if (collection !== null) refuseFrozenCollection(ctx, collection);
  const { leafOwner, leafDelegate } = checkAuthority(accounts);
  const parts = { ...accounts.address, collection, args, proof: accounts.further };
  const before = leafOf({ ...parts, owner: leafOwner, delegate: leafDelegate });
  const after = leafOf({ ...parts, owner: newLeafOwner, delegate: newLeafOwner });
  invokeNoop(ctx, encodeLeafEvent(after.bytes, after.leafHash), 2);
  invokeTransfer(ctx, payer, config, PROTOCOL_FEE_LAMPORTS);
  replace(ctx, { ...parts, before: before.leafHash, after: after.leafHash });
  return { computeUnits: COMPUTE_UNITS };
}

/** burn_v2: empties a leaf, signed by its owner or delegate, unless its collection is frozen. */
export function burnLeaf(ctx: EmuCtx): { computeUnits: number } {
  const accounts = nameAccounts(ctx, BURN_ACCOUNTS);
  const collection = accounts.optional('collection');
  const args = readData(ctx.data, getBurnV2InstructionDataSerializer());
  checkTree(ctx, accounts);
  if (collection !== null) {
    countOutOfCollection(ctx, { collection, cpiSigner: accounts.optional('coreCpiSigner') });
    refuseFrozenCollection(ctx, collection);
  }
  const { leafOwner, leafDelegate } = checkAuthority(accounts);
  const parts = { ...accounts.address, collection, args, proof: accounts.further };
  const before = leafOf({ ...parts, owner: leafOwner, delegate: leafDelegate });
  replace(ctx, { ...parts, before: before.leafHash, after: new Uint8Array(NODE_BYTES) });
  return { computeUnits: COMPUTE_UNITS };
}

type Shared = 'config' | 'payer' | 'authority' | 'leafOwner' | 'leafDelegate' | 'tree';
type Accounts = NamedAccounts<Shared | 'noop' | 'compression'>;
type LeafArgs = Omit<TransferV2InstructionData, 'discriminator'>;

function checkTree(ctx: EmuCtx, accounts: Accounts): void {
  const { config, tree, noop, compression } = accounts.address;
  const { version } = loadTreeConfig(ctx, config, tree);
  accounts.requireSigner('payer');
  accounts.requireSigner('authority');
  requireV2Programs(noop, compression);
  if (version !== Version.V2) refuse('UnsupportedSchemaVersion');
}

/** Owner and delegate of the leaf, one of which must be the authority (the payer if left out). */
function checkAuthority(accounts: Accounts): { leafOwner: string; leafDelegate: string } {
  const { leafOwner, payer } = accounts.address;
  const leafDelegate = accounts.optional('leafDelegate') ?? leafOwner;
  const authority = accounts.optional('authority') ?? payer;
  if (authority !== leafOwner && authority !== leafDelegate) refuse('InvalidAuthority');
  return { leafOwner, leafDelegate };
}

function leafOf(o: {
  tree: string;
  collection: string | null;
  args: LeafArgs;
  owner: string;
  delegate: string;
}) {
  const { args } = o;
  return encodeLeaf({
    __kind: 'V2',
    id: publicKey(leafAssetId(o.tree, args.nonce)),
    owner: publicKey(o.owner),
    delegate: publicKey(o.delegate),
    nonce: args.nonce,
    dataHash: args.dataHash,
    creatorHash: args.creatorHash,
    collectionHash: hashCollection(publicKey(o.collection ?? SYSTEM)),
    assetDataHash: unwrapOption(args.assetDataHash) ?? hashAssetData(),
    flags: unwrapOption(args.flags) ?? 0,
  });
}

function replace(
  ctx: EmuCtx,
  o: {
    tree: string;
    config: string;
    args: LeafArgs;
    proof: readonly string[];
    before: Uint8Array;
    after: Uint8Array;
  },
): void {
  const { tree, config, proof } = o;
  const { root, index } = o.args;
  const data = Uint8Array.from(ctx.chain.get(tree)?.data ?? []);
  const change = replaceLeaf(data, {
    root,
    previous: o.before,
    leaf: o.after,
    leafIndex: index,
    proof: proof.map((node) => bs58.decode(node)),
  });
  if (!change) return refuse('ConcurrentMerkleTreeError');
  writeData(ctx, tree, data);
  const args = Buffer.concat([root, o.before, o.after, u32(index)]);
  invokeCompression(ctx, { method: 'ReplaceLeaf', tree, config, args, change, proof });
}
