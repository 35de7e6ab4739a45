import { elapsedClock, type Clock } from '@/server/clock';
import { env } from '@/server/env';
import { askBatch, nodeForBatch } from './ask-batch';
import { askNodes, type Node, type Question } from './ask-nodes';
import { batchQuestions } from './batch-questions';
import type { RawTransaction } from './raw-transaction';
import { isNoBlock } from './rpc-errors';
import {
  accountAnswer,
  accountsAtSlot,
  balanceAnswer,
  balanceInContext,
  blockAccountsAnswer,
  blockAnswer,
  blockhashAnswer,
  hashAnswer,
  historyAnswer,
  ownedAccountsAnswer,
  PAGE,
  signatureAnswer,
  simulationAnswer,
  statusesAnswer,
  statusInContext,
  tipAnswer,
  tokenAccountsAnswer,
  transactionAnswer,
  u64,
  type Account,
  type Block,
  type BlockTransaction,
  type SignatureLine,
  type SignatureStatus,
} from './rpc-schemas';

export type Commitment = 'confirmed' | 'finalized';
export type { Account };
export type Simulation = {
  err: unknown;
  accounts: (Account | null)[];
  /** Lamports of the keys of the message before it ran; empty from nodes that do not tell (Agave before 3.0). */
  lamportsBefore: bigint[];
  /** Slot of the block that it ran on. */
  slot: bigint;
};

/**
 * The methods of Solana's JSON-RPC that the service uses, with parsed answers. Every method throws
 * RpcUnavailable when no node gives a usable answer and RpcRefused when one refuses the request. Null
 * means "not there", as all nodes agree.
 */
export type Rpc = {
  /** How many nodes stand behind this. */
  readonly nodes: number;
  /** Questions asked so far, by method, over all nodes. */
  readonly calls: ReadonlyMap<string, number>;
  /** Those of them that got no usable answer. */
  readonly troubles: ReadonlyMap<string, number>;
  /**
   * The nodes past any meter, for what is read once for everybody: whoever happens to be first must not pay for
   * it, nor be able to stop it.
   */
  readonly unmetered: Pick<Rpc, 'onNode'>;
  /** The same methods on one node alone, for two reads that must come from the same place. */
  onNode(index: number): Rpc;
  /** `json` encoding, versions up to 0. Null only when every node says it knows none. */
  getTransaction(signature: string, commitment: Commitment): Promise<RawTransaction | null>;
  /** Whether {@link getTransactions} asks in one request: not every node takes that. */
  takesBatches(): boolean;
  /**
   * As `getTransaction`, of as many signatures as a node can answer within the timeout, in one request.
   * Only saves time: undefined for what came back otherwise than it should, which is then to be asked for
   * alone. Never throws.
   */
  getTransactions(
    signatures: readonly string[],
    commitment: Commitment,
  ): Promise<(RawTransaction | undefined)[]>;
  /** In the order of `signatures` (256 at most), with the whole history searched. */
  getSignatureStatuses(
    signatures: readonly string[],
    o?: { node?: number },
  ): Promise<(SignatureStatus | null)[]>;
  /** Status of one transaction, with the newest slot that the answering node had seen by then. */
  seeSignature(signature: string): Promise<{ status: SignatureStatus | null; slot: bigint }>;
  /** The last finalized block: its slot, and its height, which slots without a block do not count in. */
  getFinalizedTip(): Promise<{ slot: bigint; height: bigint }>;
  /**
   * The finalized block of a slot, with signatures and no rewards. Null: no node has a block there, which
   * proves nothing about a slot by itself.
   */
  getBlock(slot: bigint): Promise<Block | null>;
  /** The transactions of a finalized block with the accounts they name: some megabytes on a public cluster. */
  getBlockTransactions(slot: bigint): Promise<BlockTransaction[] | null>;
  /** Newest first, `limit` or 1000 at most, older than `before` and newer than `until`, at `confirmed`. */
  getSignaturesForAddress(
    address: string,
    o?: { before?: string; until?: string; limit?: number },
  ): Promise<SignatureLine[]>;
  /** Addresses of the open token accounts of a mint that a wallet owns, at `confirmed`. */
  getTokenAccountsByOwner(wallet: string, mint: string): Promise<string[]>;
  /** `processed` may be ahead of what will be confirmed, and is the newest that a node knows. */
  getSlot(commitment: Commitment | 'processed', o?: { node?: number }): Promise<bigint>;
  /** Unix seconds of a block, as its validators agreed. Null for a slot without one. */
  getBlockTime(slot: bigint): Promise<bigint | null>;
  /** At `confirmed`: a finalized one would be a fifth of its life old already. */
  getLatestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: bigint }>;
  /** Sends signed bytes (base64) once; the node does not repeat them. Gives the signature. */
  sendTransaction(wireBase64: string, o: { skipPreflight: boolean }): Promise<string>;
  /**
   * What a transaction (base64) would do at `confirmed`, with its own blockhash and signatures unchecked:
   * its error or null, and `accounts` as they would be, none of them when it fails.
   */
  simulateTransaction(wireBase64: string, o: { accounts: readonly string[] }): Promise<Simulation>;
  /** At `confirmed`. */
  getAccountInfo(address: string): Promise<Account | null>;
  /** At `finalized`, 100 at most, all of one slot. */
  getAccounts(
    addresses: readonly string[],
  ): Promise<{ slot: bigint; accounts: (Account | null)[] }>;
  /** A wallet's open token accounts of one token program at `finalized`, with the first 72 bytes of each. */
  getOwnedAccounts(
    wallet: string,
    program: string,
  ): Promise<{ account: string; data: Uint8Array }[]>;
  /** Lamports at `confirmed`; 0 for an account that does not exist. */
  getBalance(address: string): Promise<bigint>;
  /** Lamports at `confirmed`, with the slot of the block that they were read from. */
  seeBalance(address: string): Promise<{ lamports: bigint; slot: bigint }>;
  getGenesisHash(): Promise<string>;
  getMinimumBalanceForRentExemption(bytes: number): Promise<bigint>;
};

/**
 * Stands for the nodes behind an Rpc: the same for each that is wrapped around one client, as it is for the
 * calls of a request to be counted. What is kept about nodes is kept by this.
 */
export function nodesBehind(rpc: Pick<Rpc, 'calls'>): object {
  return rpc.calls;
}

export type RpcOptions = {
  /** Tried in this order; the first is the one that usually answers. */
  urls: readonly string[];
  /** For one HTTP call. A dead RPC is reported 2 s later at the latest. */
  timeoutMs: number;
  clock?: Clock;
};

/** Signatures in one question for statuses: the limit of Solana's JSON-RPC. */
const MOST_STATUSES = 256;
/** Jobs that wait for their transactions ask at the same moments: then one call does for all. */
const JOINED_WITHIN_MS = 5;

/** An {@link Rpc} over a list of nodes. */
export function createRpc(o: RpcOptions): Rpc {
  const nodes: Node[] = o.urls.map((url) => ({
    ...{ url, restsUntilMs: 0, mustRestUntilMs: 0, noBatchUntilMs: 0 },
  }));
  const calls = new Map<string, number>();
  const troubles = new Map<string, number>();
  const all = overNodes(
    nodes,
    { calls, troubles },
    { timeoutMs: o.timeoutMs, clock: o.clock ?? elapsedClock },
  );
  const joined = batchQuestions((items: readonly string[]) => all.getSignatureStatuses(items), {
    most: MOST_STATUSES,
    waitMs: JOINED_WITHIN_MS,
  });
  return {
    ...all,
    getSignatureStatuses: (signatures, { node } = {}) =>
      node === undefined ? joined(signatures) : all.getSignatureStatuses(signatures, { node }),
  };
}

let shared: Rpc | undefined;

/** The RPC of this process, from the settings. */
export function rpc(): Rpc {
  shared ??= createRpc({ urls: env().rpcUrls, timeoutMs: env().rpcTimeoutMs });
  return shared;
}

const transactionParams = (signature: string, commitment: Commitment) => [
  signature,
  { encoding: 'json', commitment, maxSupportedTransactionVersion: 0 },
];

const blockParams = (transactionDetails: 'signatures' | 'accounts') => ({
  ...{ transactionDetails, rewards: false, commitment: 'finalized' },
  maxSupportedTransactionVersion: 0,
});

const noBlock = (code: number) => (isNoBlock(code) ? { answer: null } : null);

function overNodes(
  nodes: readonly Node[],
  counts: { calls: Map<string, number>; troubles: Map<string, number> },
  o: { timeoutMs: number; clock: Clock },
): Rpc {
  const countIn = (map: Map<string, number>) => (method: string) => {
    map.set(method, (map.get(method) ?? 0) + 1);
  };
  const count = countIn(counts.calls);
  const countTrouble = countIn(counts.troubles);
  const pick = (index: number | undefined): readonly Node[] => {
    if (index === undefined) return nodes;
    const node = nodes[index];
    if (!node) throw new RangeError(`there is no node ${index}, only ${nodes.length}`);
    return [node];
  };
  const ask = <T>(question: Question<T>, node?: number): Promise<T> =>
    askNodes(pick(node), question, { ...o, count, countTrouble });

  const onNode = (index: number): Rpc => overNodes(pick(index), counts, o);
  return {
    nodes: nodes.length,
    ...counts,
    unmetered: { onNode },
    onNode,
    getTransaction: (signature, commitment) =>
      ask({
        method: 'getTransaction',
        params: transactionParams(signature, commitment),
        schema: transactionAnswer,
        isAbsent: (answer) => answer === null,
      }),
    takesBatches: () => nodeForBatch(nodes, o.clock) !== null,
    getTransactions: async (signatures, commitment) => {
      const answers = await askBatch(
        nodes,
        {
          method: 'getTransaction',
          paramsOf: signatures.map((signature) => transactionParams(signature, commitment)),
          schema: transactionAnswer,
        },
        { ...o, count, countTrouble },
      );
      return answers.map((answer) => answer ?? undefined);
    },
    getSignatureStatuses: (signatures, { node } = {}) =>
      ask(
        {
          method: 'getSignatureStatuses',
          params: [signatures, { searchTransactionHistory: true }],
          schema: statusesAnswer(signatures.length),
          isAbsent: (answer) => answer.includes(null),
          merge: (one, other) => one.map((status, index) => status ?? other[index] ?? null),
        },
        node,
      ),
    seeSignature: (signature) =>
      ask({
        method: 'getSignatureStatuses',
        params: [[signature], { searchTransactionHistory: true }],
        schema: statusInContext,
        isAbsent: ({ status }) => status === null,
      }),
    getFinalizedTip: () =>
      ask({ method: 'getEpochInfo', params: [{ commitment: 'finalized' }], schema: tipAnswer }),
    getBlock: (slot) =>
      ask({
        method: 'getBlock',
        params: [Number(slot), blockParams('signatures')],
        schema: blockAnswer,
        isAbsent: (answer) => answer === null,
        answersTo: noBlock,
      }),
    getBlockTransactions: (slot) =>
      ask({
        method: 'getBlock',
        params: [Number(slot), blockParams('accounts')],
        schema: blockAccountsAnswer,
        isAbsent: (answer) => answer === null,
        answersTo: noBlock,
      }),
    getSignaturesForAddress: (address, { before, until, limit = PAGE } = {}) =>
      ask({
        method: 'getSignaturesForAddress',
        params: [
          address,
          {
            ...{ limit, commitment: 'confirmed' },
            ...(before && { before }),
            ...(until && { until }),
          },
        ],
        schema: historyAnswer,
        // Nothing since something that is known is an answer like any other.
        isAbsent: (answer) => until === undefined && answer.length === 0,
      }),
    getTokenAccountsByOwner: async (wallet, mint) =>
      (
        await ask({
          method: 'getTokenAccountsByOwner',
          // No bytes of the accounts are wanted, only where they are.
          params: [
            wallet,
            { mint },
            { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: 0 } },
          ],
          schema: tokenAccountsAnswer,
          isAbsent: (answer) => answer.length === 0,
        })
      ).map(({ pubkey }) => pubkey),
    getSlot: (commitment, { node } = {}) =>
      ask({ method: 'getSlot', params: [{ commitment }], schema: u64 }, node),
    getBlockTime: (slot) =>
      ask({
        method: 'getBlockTime',
        params: [Number(slot)],
        schema: u64.nullable(),
        isAbsent: (answer) => answer === null,
      }),
    getLatestBlockhash: () =>
      ask({
        method: 'getLatestBlockhash',
        params: [{ commitment: 'confirmed' }],
        schema: blockhashAnswer,
      }),
    sendTransaction: (wireBase64, { skipPreflight }) =>
      ask({
        method: 'sendTransaction',
        params: [
          wireBase64,
          { encoding: 'base64', skipPreflight, maxRetries: 0, preflightCommitment: 'confirmed' },
        ],
        schema: signatureAnswer,
      }),
    simulateTransaction: (wireBase64, { accounts }) =>
      ask({
        method: 'simulateTransaction',
        params: [
          wireBase64,
          {
            encoding: 'base64',
            commitment: 'confirmed',
            sigVerify: false,
            replaceRecentBlockhash: false,
            accounts: { encoding: 'base64', addresses: accounts },
          },
        ],
        schema: simulationAnswer,
      }),
    getAccountInfo: (address) =>
      ask({
        method: 'getAccountInfo',
        params: [address, { encoding: 'base64', commitment: 'confirmed' }],
        schema: accountAnswer,
        isAbsent: (answer) => answer === null,
      }),
    getAccounts: (addresses) =>
      ask({
        method: 'getMultipleAccounts',
        params: [addresses, { encoding: 'base64', commitment: 'finalized' }],
        schema: accountsAtSlot,
      }),
    getOwnedAccounts: (wallet, program) =>
      ask({
        method: 'getTokenAccountsByOwner',
        params: [
          wallet,
          { programId: program },
          // Mint, owner and amount come first in every token account.
          { encoding: 'base64', commitment: 'finalized', dataSlice: { offset: 0, length: 72 } },
        ],
        schema: ownedAccountsAnswer,
      }),
    getBalance: (address) =>
      ask({
        method: 'getBalance',
        params: [address, { commitment: 'confirmed' }],
        schema: balanceAnswer,
        isAbsent: (answer) => answer === 0n,
      }),
    seeBalance: (address) =>
      ask({
        method: 'getBalance',
        params: [address, { commitment: 'confirmed' }],
        schema: balanceInContext,
      }),
    getGenesisHash: () => ask({ method: 'getGenesisHash', params: [], schema: hashAnswer }),
    getMinimumBalanceForRentExemption: (bytes) =>
      ask({ method: 'getMinimumBalanceForRentExemption', params: [bytes], schema: u64 }),
  };
}
