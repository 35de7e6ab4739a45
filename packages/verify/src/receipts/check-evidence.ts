import type { TransactionReading } from '../chain/transfer';
import type { LeafHistory } from '../nft/follow-leaf';
import type { ItemParts } from '../storage/verify-item';
import type { IssuerDocument } from './issuer-document';

/** What is looked at of every NFT of the issuer, whatever it stands for. */
export type MintEvidence = {
  /** The issuer's own document; that it comes from the issuer's address is the caller's to see to. */
  issuer: IssuerDocument;
  /** Bytes as published, and the storage item they are said to be. */
  metadata: { bytes: Uint8Array; item: ItemParts };
  image: { bytes: Uint8Array; item: ItemParts };
  /** `getTransaction` result (`json` encoding) of the mint; null when no node gave it. */
  mintTransaction: unknown;
  /** The NFT as an index of assets (DAS) has it now; `owner` is null when none told it. */
  asset: {
    id: string;
    owner: string | null;
    delegate: string | null;
    burnt?: boolean | undefined;
  };
  /** Its proof: siblings from leaf to root, base58; null when none was given. */
  proof: { root: string; siblings: string[] } | null;
  /** The tree as the chain has it now; `data` is null when no node gave it. */
  tree: { address: string; data: Uint8Array | null };
  /** Where the leaf went through all changes of its tree since; left out where that was not looked up. */
  history?: LeafHistory | undefined;
  /** Why something above is missing, where it is known. */
  silences?: Partial<Record<'mint' | 'tree', string>> | undefined;
};

/** What the metadata of an NFT says, as far as its files and its leaf are judged by it. */
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

/** All that a check looks at, gathered by the caller from whom it likes. Nothing of it is trusted. */
export type ReceiptEvidence = MintEvidence & {
  receiptId: string;
  /** What the paid transaction is, by `interpretTransaction` or `readTransfer`. */
  payment: TransactionReading;
};
