import type { TransactionReading } from '../chain/transfer';
import type { LeafHistory } from '../nft/follow-leaf';
import type { ItemParts } from '../storage/verify-item';
import type { IssuerDocument } from './issuer-document';

/** The evidence for every NFT of the issuer, whether of a receipt or a statement. */
export type MintEvidence = {
  /** The issuer's own document; that it comes from the issuer's address is the caller's to see to. */
  issuer: IssuerDocument;
  /** Bytes as published, and the storage item they are said to be. */
  metadata: { bytes: Uint8Array; item: ItemParts };
  image: { bytes: Uint8Array; item: ItemParts };
  /** `getTransaction` result (`json` encoding) of the mint; null when no node gave it. */
  mintTransaction: unknown;
  /** The NFT now, in an index of assets (DAS); `owner` is null when none returned it. */
  asset: {
    id: string;
    owner: string | null;
    delegate: string | null;
    burnt?: boolean | undefined;
  };
  /** Its proof: siblings from leaf to root, base58; null when none was given. */
  proof: { root: string; siblings: string[] } | null;
  /** The tree on chain now; `data` is null when no node returned it. */
  tree: { address: string; data: Uint8Array | null };
  /** The positions of the leaf through all later changes of its tree; left out if not looked up. */
  history?: LeafHistory | undefined;
  /** Why something above is missing, where it is known. */
  silences?: Partial<Record<'mint' | 'tree', string>> | undefined;
};

/** The fields of the metadata of an NFT that the checks of its files and its leaf need. */
export type MintedSubject = {
  /** Of the receipt or the statement. */
  id: string;
  name: string;
  imageUri: string;
  issuedAt: Date;
  /** Of the payment, or of the last one that is listed: it cannot be issued before. */
  paidAt: Date;
  owner: string;
};

/** All inputs of a check, which the caller gathers from any source. Nothing of it is trusted. */
export type ReceiptEvidence = MintEvidence & {
  receiptId: string;
  /** The reading of the paid transaction, by `interpretTransaction` or `readTransfer`. */
  payment: TransactionReading;
};
