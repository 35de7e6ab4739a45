import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AssetNow } from '../chain/read-asset';
import type { LeafHistory } from '../nft/follow-leaf';
import { leafHash, type LeafEvent, rootFromProof } from '../nft/leaf';
import { EMPTY_LEAF } from '../nft/tree-changes';
import { itemData } from '../storage/verify-item';
import { attempt } from './check-line';

const word = z.string().max(128);
/** A file on permanent storage: its address, and the whole signed item that it is. */
const file = z.object({
  item_id: word,
  uri: z.string().max(512),
  /** Hex sha256 of the file. */
  sha256: word,
  /** Base64 of the ANS-104 item: header, signature, tags and the file itself. */
  item: z.base64().max(4_000_000),
});

/**
 * The document of a proof, about the NFT of a receipt or a statement and its files. It holds
 * everything that no Solana node has, and the addresses of the rest on chain. Nothing in it need be
 * believed. Addresses and 32-byte hashes are base58.
 */
export const mintProof = z.object({
  success: z.literal(true),
  network: z.enum(['local', 'devnet', 'mainnet']),
  /** Where the issuer publishes its keys, trees and collections. */
  issuer_url: z.string().max(512),
  metadata: file,
  image: file,
  mint_signature: word,
  asset_id: word,
  tree: word,
  leaf_index: z.number().int().nonnegative(),
  /** Verified creator of the NFT. */
  creator: word,
  /** The minted leaf, and its hash. */
  leaf: z.object({
    owner: word,
    delegate: word,
    nonce: z.number().int().nonnegative(),
    data_hash: word,
    creator_hash: word,
    collection_hash: word,
    asset_data_hash: word,
    flags: z.number().int().nonnegative(),
    hash: word,
  }),
  /**
   * The current holder of the NFT: a leaf that was moved has another owner and another hash. Null
   * if neither an index of assets nor the history of the tree shows it, and for a history that ends
   * with the burn. A `delegate` of null means that none is known.
   */
  holder: z.object({ owner: word, delegate: word.nullable() }).nullable(),
  /** The holder burnt it, and its leaf is now empty. Older proofs lack this field. */
  burnt: z.boolean().optional(),
  /**
   * Null, like the proof, if no index of assets gave one: the tree's history still shows the leaf.
   */
  root: word.nullable(),
  /** Siblings from the leaf to the root. */
  proof: z.array(word).max(30).nullable(),
});
export type MintProof = z.infer<typeof mintProof>;

/**
 * `/receipt/{receipt_id}/proof`: everything that a check of a receipt needs apart from a Solana
 * node.
 */
export const proofDocument = mintProof.extend({ receipt_id: word, tx_signature: word });
export type ProofDocument = z.infer<typeof proofDocument>;

/** The proof of an NFT, written from its stored files, its mint transaction and an index of assets. */
export function writeMintProof(o: {
  network: MintProof['network'];
  issuerUrl: string;
  mintSignature: string;
  metadata: { id: string; uri: string; raw: Uint8Array };
  image: { id: string; uri: string; raw: Uint8Array };
  leaf: LeafEvent;
  /** Null where no index of assets returned it. */
  asset: AssetNow | null;
  /** Where the leaf went by the history of its tree, where that was followed. */
  history?: LeafHistory | undefined;
}): MintProof {
  const { leaf } = o;
  return {
    success: true,
    network: o.network,
    issuer_url: o.issuerUrl,
    metadata: describeFile(o.metadata),
    image: describeFile(o.image),
    mint_signature: o.mintSignature,
    asset_id: leaf.assetId,
    tree: leaf.tree,
    leaf_index: Number(leaf.leafIndex),
    creator: creatorOf(leaf),
    leaf: presentLeaf(leaf),
    ...standingOf(o),
  };
}

/**
 * The current holder: by the history of the tree if that was followed, because then the index of
 * assets did not show it. Otherwise by that index, with its proof.
 */
function standingOf(o: {
  leaf: LeafEvent;
  asset: AssetNow | null;
  history?: LeafHistory | undefined;
}): Pick<MintProof, 'holder' | 'burnt' | 'root' | 'proof'> {
  const { asset, history, leaf } = o;
  const unproven = { root: null, proof: null };
  if (history?.state === 'burnt') return { holder: null, burnt: true, ...unproven };
  if (history && history.state !== 'untold')
    return { holder: { owner: history.owner, delegate: null }, burnt: false, ...unproven };
  if (!asset) return { holder: null, ...unproven };
  const { owner, delegate, burnt, proof } = asset;
  const standing = { holder: { owner, delegate }, burnt: burnt === true };
  // An asset and its proof are read one after the other: between the two the leaf may have changed.
  const root = rootOfStanding(leaf, { owner, delegate, burnt, siblings: proof.siblings });
  if (root !== proof.root) return { ...standing, ...unproven };
  return { ...standing, root, proof: proof.siblings };
}

/**
 * The root that a leaf leads to with this holder, or burnt; null where the answer has another form.
 */
export function rootOfStanding(
  leaf: LeafEvent,
  o: {
    owner: string;
    delegate: string | null;
    burnt?: boolean | undefined;
    siblings: readonly string[];
  },
): string | null {
  const { owner, delegate, burnt, siblings } = o;
  return attempt(() => {
    const now = { ...leaf, owner, delegate: delegate ?? owner };
    return rootFromProof(burnt === true ? EMPTY_LEAF : leafHash(now), siblings, leaf.leafIndex);
  });
}

/** The verified creator that a mint names, or nothing. */
export function creatorOf(leaf: LeafEvent): string {
  return leaf.metadata.creators.find(({ verified }) => verified)?.address ?? '';
}

/** A leaf in the spelling of the document. */
export function presentLeaf(leaf: LeafEvent): MintProof['leaf'] {
  return {
    owner: leaf.owner,
    delegate: leaf.delegate,
    nonce: Number(leaf.nonce),
    data_hash: leaf.dataHash,
    creator_hash: leaf.creatorHash,
    collection_hash: leaf.collectionHash,
    asset_data_hash: leaf.assetDataHash,
    flags: leaf.flags,
    hash: leaf.hash,
  };
}

function describeFile({ id, uri, raw }: { id: string; uri: string; raw: Uint8Array }) {
  const sha256 = createHash('sha256').update(itemData(raw)).digest('hex');
  return { item_id: id, uri, sha256, item: Buffer.from(raw).toString('base64') };
}
