import type { RawTransaction } from './raw-transaction';
import type { Account, SignatureLine, SignatureStatus } from './rpc-schemas';

/**
 * What a check asks of Solana's JSON-RPC. Every method throws RpcUnavailable when there is no usable answer and
 * RpcRefused when the request is refused. Null means "not there".
 */
export type ChainReader = {
  /** `json` encoding, versions up to 0. */
  getTransaction(
    signature: string,
    commitment: 'confirmed' | 'finalized',
  ): Promise<RawTransaction | null>;
  /** In the order of `signatures`, with the whole history searched. */
  getSignatureStatuses(signatures: readonly string[]): Promise<(SignatureStatus | null)[]>;
  /** The account as it is at `confirmed`. */
  getAccountInfo(address: string): Promise<Account | null>;
};

/** A node that is also asked for the history of an account. */
export type HistoryReader = ChainReader & {
  /** Newest first, at most a page, those after `before`; failed ones too. */
  getSignaturesForAddress(address: string, o: { before?: string }): Promise<SignatureLine[]>;
};
