import {
  getMintV2InstructionDataSerializer,
  hashAssetData,
  hashCollection,
  hashMetadataCreators,
  hashMetadataDataV2,
  Version,
} from '@metaplex-foundation/mpl-bubblegum';
import { publicKey, unwrapOption } from '@metaplex-foundation/umi';
import type { EmuCtx } from '@/devnet/chain/emulator';
import { checkMetadata } from './check-metadata';
import { countInCollection } from './count-in-collection';
import { refuse } from './errors';
import { encodeLeaf, encodeLeafEvent } from './events';
import { nameAccounts, readData, requireV2Programs } from './instruction';
import { invokeCompression, invokeNoop, invokeTransfer } from './invoke';
import { appendLeaf } from './merkle-tree';
import { BUBBLEGUM, leafAssetId, SYSTEM } from './program-ids';
import { loadTreeConfig, saveTreeConfig } from './tree-config';
import { writeData } from './write-data';

const ACCOUNTS = [
  'config',
  'payer',
  'treeAuthority',
  'collectionAuthority',
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

/**
 * The fee of each V2 mint, paid into the tree's settings account, measured on the deployed program.
 */
const PROTOCOL_FEE_LAMPORTS = 90_000n;
/** In the middle of measurements on the real program (47k to 64k without a collection). */
const COMPUTE_UNITS = 50_000;

/**
 * mint_v2: appends a leaf for a new asset, reports it to indexers through the noop program, takes
 * the protocol fee and returns the leaf. The order of the checks and calls is the program's.
 */
export function mint(ctx: EmuCtx): { computeUnits: number } {
  const accounts = nameAccounts(ctx, ACCOUNTS);
  const { config, payer, tree, leafOwner, noop, compression } = accounts.address;
  const treeConfig = loadTreeConfig(ctx, config, tree);
  accounts.requireSigner('payer');
  accounts.requireSigner('treeAuthority');
  requireV2Programs(noop, compression);
  const { metadata, assetData, assetDataSchema } = readData(
    ctx.data,
    getMintV2InstructionDataSerializer(),
  );
  if (unwrapOption(assetData) !== null || unwrapOption(assetDataSchema) !== null)
    refuse('NotAvailable');
  if (treeConfig.version !== Version.V2) refuse('UnsupportedSchemaVersion');
  const authority = accounts.optional('treeAuthority') ?? payer;
  const mayMint = [treeConfig.treeCreator, treeConfig.treeDelegate].some((a) => a === authority);
  if (!treeConfig.isPublic && !mayMint) refuse('TreeAuthorityIncorrect');
  if (treeConfig.numMinted >= treeConfig.totalMintCapacity) refuse('InsufficientMintCapacity');

  const signers = new Set([payer, authority, ...accounts.furtherSigners]);
  const collection = accounts.optional('collection');
  const named = unwrapOption(metadata.collection);
  if (collection !== null) {
    accounts.requireSigner('collectionAuthority');
    const collectionAuthority = accounts.optional('collectionAuthority') ?? authority;
    const cpiSigner = accounts.optional('coreCpiSigner');
    countInCollection(ctx, { collection, authority: collectionAuthority, cpiSigner, named });
    signers.add(collectionAuthority);
  } else if (named !== null) refuse('MissingCollectionAccount');
  checkMetadata(metadata, signers);

  const nonce = treeConfig.numMinted;
  const id = leafAssetId(tree, nonce);
  ctx.log(`Program log: Leaf asset ID: ${id}`);
  const { bytes, leafHash } = encodeLeaf({
    __kind: 'V2',
    id: publicKey(id),
    owner: publicKey(leafOwner),
    delegate: publicKey(accounts.optional('leafDelegate') ?? leafOwner),
    nonce,
    dataHash: hashMetadataDataV2(metadata),
    creatorHash: hashMetadataCreators(metadata.creators),
    collectionHash: hashCollection(publicKey(collection ?? SYSTEM)),
    assetDataHash: hashAssetData(),
    flags: 0,
  });
  invokeNoop(ctx, encodeLeafEvent(bytes, leafHash), 2);
  const data = Uint8Array.from(ctx.chain.get(tree)?.data ?? []);
  const change = appendLeaf(data, leafHash);
  writeData(ctx, tree, data);
  invokeCompression(ctx, { method: 'Append', tree, config, args: leafHash, change });
  saveTreeConfig(ctx, config, { ...treeConfig, numMinted: nonce + 1n });
  invokeTransfer(ctx, payer, config, PROTOCOL_FEE_LAMPORTS);
  ctx.setReturn(BUBBLEGUM, bytes);
  return { computeUnits: COMPUTE_UNITS };
}
