import bs58 from 'bs58';
import { treeConfigAddress } from '@/devnet/chain/bubblegum/program-ids';
import type { IndexedAsset } from './asset-index';
import type { OffChainJson } from './off-chain-json';

/** Indexers' name for an asset of Bubblegum V2. */
export const ASSET_INTERFACE = 'MplBubblegumV2';

/** Bits of a leaf's flags, from the program's source. */
const FROZEN = 0b011;
const NON_TRANSFERABLE = 0b100;

/** An asset as the DAS methods show it, with its off-chain JSON if that was read. */
export function viewAsset(asset: IndexedAsset, json: OffChainJson | null) {
  const { leaf, metadata } = asset;
  const delegated = leaf.delegate !== leaf.owner;
  return {
    interface: ASSET_INTERFACE,
    id: asset.id,
    content: viewContent(asset, json),
    authorities: [{ address: treeConfigAddress(asset.tree), scopes: ['full'] }],
    compression: {
      eligible: false,
      compressed: true,
      data_hash: bs58.encode(leaf.dataHash),
      creator_hash: bs58.encode(leaf.creatorHash),
      collection_hash: bs58.encode(leaf.collectionHash),
      asset_data_hash: bs58.encode(leaf.assetDataHash),
      flags: leaf.flags,
      asset_hash: asset.leafHash,
      tree: asset.tree,
      seq: asset.sequence,
      leaf_id: Number(leaf.nonce),
    },
    grouping:
      asset.collection === null
        ? []
        : [{ group_key: 'collection', group_value: asset.collection, verified: true }],
    royalty: {
      royalty_model: 'creators',
      target: null,
      percent: metadata.sellerFeeBasisPoints / 10_000,
      basis_points: metadata.sellerFeeBasisPoints,
      primary_sale_happened: metadata.primarySaleHappened,
      locked: false,
    },
    creators: metadata.creators,
    ownership: {
      frozen: (leaf.flags & FROZEN) !== 0,
      non_transferable: (leaf.flags & NON_TRANSFERABLE) !== 0,
      delegated,
      delegate: delegated ? leaf.delegate : null,
      ownership_model: 'single',
      owner: leaf.owner,
    },
    supply: { print_max_supply: 0, print_current_supply: 0, edition_nonce: null },
    mutable: metadata.isMutable,
    burnt: asset.burnt,
  };
}

function viewContent({ metadata }: IndexedAsset, json: OffChainJson | null) {
  const files = json?.properties?.files ?? (json?.image ? [{ uri: json.image }] : []);
  return {
    $schema: 'https://schema.metaplex.com/nft1.0.json',
    json_uri: metadata.uri,
    files: files.map((file) => ({ uri: file.uri, mime: file.type })),
    metadata: {
      name: metadata.name,
      symbol: metadata.symbol,
      token_standard: 'NonFungible',
      description: json?.description,
      attributes: json?.attributes,
    },
    links: { image: json?.image, external_url: json?.external_url },
  };
}
