import { systemClock, type Clock } from '@/server/clock';
import { env } from '@/server/env';
import { askBatch, nodeForBatch } from './ask-batch';
import { askNodes, type Node, type Question } from './ask-nodes';
import { batchQuestions } from './batch-questions';
import type { RawTransaction } from './raw-transaction';
import { isNoBlock } from './rpc-errors';
import {
  accountAnswer,
  balanceAnswer,
  blockAnswer,
  blockhashAnswer,
  hashAnswer,
  historyAnswer,
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
  type SignatureLine,
  type SignatureStatus,
} from './rpc-schemas';

export type Commitment = 'confirmed' | 'finalized';
export type { Account };
export type Simulation = { err: unknown; accounts: (Account | null)[] };

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
  /** Newest first, `limit` or 1000 at most, older than `before` and newer than `until`, at `confirmed`. */
  getSignaturesForAddress(
    address: string,
    o?: { before?: string; until?: string; limit?: number },
  ): Promise<SignatureLine[]>;
  /** Addresses of the open token accounts of a mint that a wallet owns, at `confirmed`. */
  getTokenAccountsByOwner(wallet: string, mint: string): Promise<string[]>;
  getSlot(commitment: Commitment, o?: { node?: number }): Promise<bigint>;
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
  /** Lamports at `confirmed`; 0 for an account that does not exist. */
  getBalance(address: string): Promise<bigint>;
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
    { timeoutMs: o.timeoutMs, clock: o.clock ?? systemClock },
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

  return {
    nodes: nodes.length,
    ...counts,
    onNode: (index) => overNodes(pick(index), counts, o),
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
    getBalance: (address) =>
      ask({
        method: 'getBalance',
        params: [address, { commitment: 'confirmed' }],
        schema: balanceAnswer,
        isAbsent: (answer) => answer === 0n,
      }),
    getGenesisHash: () => ask({ method: 'getGenesisHash', params: [], schema: hashAnswer }),
    getMinimumBalanceForRentExemption: (bytes) =>
      ask({ method: 'getMinimumBalanceForRentExemption', params: [bytes], schema: u64 }),
  };
}
