import bs58 from 'bs58';
import type { AssetNow } from '../chain/read-asset';
import type { RawTransaction } from '../chain/raw-transaction';
import type { Account } from '../chain/rpc-schemas';
import type { TransactionReading } from '../chain/transfer';
import { parseItem } from '../storage/item-format';
import type { ItemParts } from '../storage/verify-item';
import type { MintEvidence, ReceiptEvidence } from './check-evidence';
import type { IssuerDocument } from './issuer-document';
import type { MintProof, ProofDocument } from './proof-document';

/** The answers of a node about the accounts and transactions that the proof of an NFT names. */
export type SeenMint = {
  mintTransaction: RawTransaction | null;
  /** Null where the node keeps no index of assets: then the document's own proof is checked. */
  asset: AssetNow | null;
  tree: Account | null;
  /** Why the node gave no mint transaction or no tree, where it did not say that there is none. */
  silences?: MintEvidence['silences'];
  history?: MintEvidence['history'];
};
export type SeenOnChain = SeenMint & { payment: TransactionReading };

type Told<Document, Seen> = {
  document: Document;
  issuer: IssuerDocument;
  seen: Seen;
};

/** The evidence for `checkReceipt`, from a proof, the chain and the issuer's document. */
export function evidenceOfProof(o: Told<ProofDocument, SeenOnChain>): ReceiptEvidence {
  const { receipt_id: receiptId } = o.document;
  return { receiptId, ...evidenceOfMint(o), payment: o.seen.payment };
}

/** The part of the evidence about the NFT and its files, for a receipt or a statement. */
export function evidenceOfMint(o: Told<MintProof, SeenMint>): MintEvidence {
  const { document, issuer } = o;
  const metadata = partsOf(document.metadata);
  const image = partsOf(document.image);
  return {
    issuer,
    metadata: { bytes: metadata.data, item: metadata },
    image: { bytes: image.data, item: image },
    ...placeOfMint(o),
  };
}

/** The stated position of an NFT, with the stated current position of its leaf. */
export type StatedMint = Pick<
  MintProof,
  'mint_signature' | 'asset_id' | 'tree' | 'holder' | 'burnt' | 'root' | 'proof'
>;

/**
 * The evidence for the position of an NFT: its mint, its tree, and the current position of its
 * leaf.
 */
export function placeOfMint(o: {
  document: StatedMint;
  seen: SeenMint;
}): Omit<MintEvidence, 'issuer' | 'metadata' | 'image'> {
  const { document, seen } = o;
  const { holder, root, proof: siblings } = document;
  const stated = root === null || siblings === null ? null : { root, siblings };
  return {
    mintTransaction: seen.mintTransaction,
    asset: {
      id: document.asset_id,
      owner: seen.asset?.owner ?? holder?.owner ?? null,
      delegate: seen.asset ? seen.asset.delegate : (holder?.delegate ?? null),
      burnt: seen.asset ? seen.asset.burnt : document.burnt,
    },
    proof: seen.asset?.proof ?? stated,
    tree: { address: document.tree, data: seen.tree?.data ?? null },
    silences: seen.silences,
    history: seen.history,
  };
}

/** An item's parts under the id that the document gives it; bytes that are no item are parts unsigned. */
function partsOf(file: MintProof['metadata']): ItemParts {
  const raw = Buffer.from(file.item, 'base64');
  const item = parseItem(raw);
  const none = new Uint8Array();
  // A target is part of the signed bytes, and ours have none: with one, no signature here fits.
  if (!item || item.target.length > 0)
    return { id: file.item_id, signature: none, owner: '', anchor: none, tags: [], data: raw };
  const { signature, anchor, tags, data } = item;
  return { id: file.item_id, owner: bs58.encode(item.owner), signature, anchor, tags, data };
}
