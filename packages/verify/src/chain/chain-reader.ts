import type { RawTransaction } from './raw-transaction';
import type { Account, Block, SignatureLine, SignatureStatus } from './rpc-schemas';

/**
 * The methods of Solana's JSON-RPC that a check uses. Every method throws RpcUnavailable when there
 * is no usable answer and RpcRefused when the request is refused. Null means "not there".
 */
export type ChainReader = {
  /** `json` encoding, versions up to 0. */
  getTransaction(
    signature: string,
    commitment: 'confirmed' | 'finalized',
  ): Promise<RawTransaction | null>;
  /** In the order of `signatures`, with the whole history searched. */
  getSignatureStatuses(signatures: readonly string[]): Promise<(SignatureStatus | null)[]>;
  /** The account at `confirmed`. */
  getAccountInfo(address: string): Promise<Account | null>;
};

/** A node that is also asked for the history of an account. */
export type HistoryReader = ChainReader & {
  /** Newest first, at most a page, those after `before`; failed ones too. */
  getSignaturesForAddress(address: string, o: { before?: string }): Promise<SignatureLine[]>;
};

/** A node that is asked for all that a check of a proof rests on. */
export type ProofReader = HistoryReader & {
  /** The final block of a slot; null where the node has none there, which proves nothing about the slot. */
  getBlock(slot: bigint): Promise<Pick<Block, 'signatures'> | null>;
  /** A wallet's open token accounts of one token program, with their data. */
  getOwnedAccounts(
    wallet: string,
    program: string,
  ): Promise<{ account: string; data: Uint8Array }[]>;
  /** Base58: which cluster it is of. */
  getGenesisHash(): Promise<string>;
};
