import {
  DecompressibleState,
  getCreateTreeConfigV2InstructionDataSerializer,
  Version,
} from '@metaplex-foundation/mpl-bubblegum';
import { publicKey, unwrapOption } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { EmuError, type EmuCtx } from '@/devnet/chain/emulator';
import { refuse } from './errors';
import { nameAccounts, readData, requireV2Programs } from './instruction';
import { invokeCompression, invokeCreateAccount, u32 } from './invoke';
import { initTree } from './merkle-tree';
import { ACCOUNT_COMPRESSION, BUBBLEGUM, treeConfigAddress } from './program-ids';
import { saveTreeConfig, TREE_CONFIG_BYTES } from './tree-config';
import { writeData } from './write-data';
import { canopyDepth, isSupportedPair, treeLayout } from './tree-layout';

const ACCOUNTS = ['config', 'tree', 'payer', 'creator', 'noop', 'compression'] as const;
/** A proof of at most this many nodes still fits a transaction. The canopy must hold the others. */
const MAX_PROOF_NODES = 17;
const COMPUTE_UNITS = 30_000;

/**
 * create_tree_v2: makes the settings account and writes an empty tree into an account that the same
 * transaction allocated for the compression program. The order of the checks is the program's.
 */
export function createTree(ctx: EmuCtx): { computeUnits: number } {
  const accounts = nameAccounts(ctx, ACCOUNTS);
  const { config, tree, payer, noop, compression } = accounts.address;
  accounts.requireSigner('payer');
  accounts.requireSigner('creator');
  requireV2Programs(noop, compression);
  if (treeConfigAddress(tree) !== config) refuse('ConstraintSeeds');
  const args = readArgs(ctx.data);
  invokeCreateAccount(ctx, {
    from: payer,
    address: config,
    bytes: TREE_CONFIG_BYTES,
    owner: BUBBLEGUM,
  });
  const data = readUnusedTree(ctx, tree, args);
  const creator = publicKey(accounts.optional('creator') ?? payer);
  saveTreeConfig(ctx, config, {
    treeCreator: creator,
    treeDelegate: creator,
    totalMintCapacity: 1n << BigInt(args.depth),
    numMinted: 0n,
    isPublic: args.isPublic,
    isDecompressible: DecompressibleState.Disabled,
    version: Version.V2,
  });
  const change = initTree(data, {
    depth: args.depth,
    bufferSize: args.bufferSize,
    authority: bs58.decode(config),
    slot: BigInt(ctx.chain.slot()),
  });
  writeData(ctx, tree, data);
  invokeCompression(ctx, {
    method: 'InitEmptyMerkleTree',
    tree,
    config,
    args: Buffer.concat([u32(args.depth), u32(args.bufferSize)]),
    change,
  });
  return { computeUnits: COMPUTE_UNITS };
}

type TreeArgs = { depth: number; bufferSize: number; isPublic: boolean };

function readArgs(data: Uint8Array): TreeArgs {
  const args = readData(data, getCreateTreeConfigV2InstructionDataSerializer());
  return {
    depth: args.maxDepth,
    bufferSize: args.maxBufferSize,
    isPublic: unwrapOption(args.public) ?? false,
  };
}

/** The bytes of the tree's account, after a check that a tree of this shape can begin there. */
function readUnusedTree(ctx: EmuCtx, tree: string, args: TreeArgs): Uint8Array {
  const account = ctx.chain.get(tree);
  if (!account || account.data.subarray(0, 8).some((byte) => byte !== 0))
    return refuse('ConstraintZero');
  if (!isSupportedPair(args.depth, args.bufferSize)) refuse('ConcurrentMerkleTreeConstantsError');
  const canopy = canopyDepth(treeLayout(args.depth, args.bufferSize), account.data.length);
  if (canopy === null || args.depth - canopy > MAX_PROOF_NODES) refuse('InvalidCanopySize');
  if (account.owner !== ACCOUNT_COMPRESSION) throw new EmuError('IllegalOwner');
  return Uint8Array.from(account.data);
}
