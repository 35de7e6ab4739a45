import { elapsedClock, type Clock } from '@/server/clock';
import { env } from '@/server/env';
import { metrics } from '@/server/metrics';
import {
  askBatch,
  askNodes,
  batchQuestions,
  type Node,
  nodeForBatch,
  type Question,
} from './ask-nodes';
import { type Commitment, newestBlockhash, type Rpc, type Simulation } from './rpc-methods';
import { isNoBlock } from '@quittance/verify/chain/rpc-errors';
import { sending, sendToAll } from './send-to-all';
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
  largestAccountsAnswer,
  ownedAccountsAnswer,
  PAGE,
  simulationAnswer,
  statusesAnswer,
  statusInContext,
  tipAnswer,
  tokenAccountsAnswer,
  transactionAnswer,
  u64,
  validityAnswer,
  type Account,
} from '@quittance/verify/chain/rpc-schemas';

export type { Account, Rpc, Simulation };

/**
 * Identifies the nodes behind an Rpc, and is the key for state about them. Every wrapper of one
 * client has the same, for example the one that counts the calls of a request.
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
/** Jobs that wait for their transactions ask at the same moments. One call then serves all. */
const JOINED_WITHIN_MS = 5;

/** An {@link Rpc} over a list of nodes. */
export function createRpc(o: RpcOptions): Rpc {
  const nodes: Node[] = o.urls.map((url) => ({
    url,
    restsUntilMs: 0,
    mustRestUntilMs: 0,
    noBatchUntilMs: 0,
  }));
  const calls = new Map<string, number>();
  const all = overNodes(nodes, calls, { timeoutMs: o.timeoutMs, clock: o.clock ?? elapsedClock });
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
  transactionDetails,
  rewards: false,
  commitment: 'finalized',
  maxSupportedTransactionVersion: 0,
});

const noBlock = (code: number) => (isNoBlock(code) ? { answer: null } : null);

function overNodes(
  nodes: readonly Node[],
  calls: Map<string, number>,
  o: { timeoutMs: number; clock: Clock },
): Rpc {
  const count = (method: string): void => {
    calls.set(method, (calls.get(method) ?? 0) + 1);
    metrics().rpcCalls.inc({ method });
  };
  const countTrouble = (method: string): void => metrics().rpcFailures.inc({ method });
  const pick = (index: number | undefined): readonly Node[] => {
    if (index === undefined) return nodes;
    const node = nodes[index];
    if (!node) throw new RangeError(`there is no node ${index}, only ${nodes.length}`);
    return [node];
  };
  const ask = <T>(question: Question<T>, node?: number): Promise<T> =>
    askNodes(pick(node), question, { ...o, count, countTrouble });

  const onNode = (index: number): Rpc => overNodes(pick(index), calls, o);
  return {
    nodes: nodes.length,
    calls,
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
            limit,
            commitment: 'confirmed',
            ...(before && { before }),
            ...(until && { until }),
          },
        ],
        schema: historyAnswer,
        // "Nothing since the known signature" is a normal answer.
        isAbsent: (answer) => until === undefined && answer.length === 0,
      }),
    getTokenAccountsByOwner: async (wallet, mint) =>
      (
        await ask({
          method: 'getTokenAccountsByOwner',
          // Only the addresses are needed, no bytes of the accounts.
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
      newestBlockhash(
        nodes.map((_, node) => ({
          latest: () =>
            ask(
              {
                method: 'getLatestBlockhash',
                params: [{ commitment: 'confirmed' }],
                schema: blockhashAnswer,
              },
              node,
            ),
          height: async () =>
            (
              await ask(
                {
                  method: 'getEpochInfo',
                  params: [{ commitment: 'processed' }],
                  schema: tipAnswer,
                },
                node,
              )
            ).height,
          knows: (blockhash) =>
            ask(
              {
                method: 'isBlockhashValid',
                params: [blockhash, { commitment: 'processed' }],
                schema: validityAnswer,
              },
              node,
            ),
        })),
      ),
    sendTransaction: (wireBase64, { skipPreflight }) =>
      sendToAll(nodes.map((_, node) => ask(sending(wireBase64, skipPreflight), node))),
    simulateTransaction: (wireBase64, { accounts }) => ask(simulating(wireBase64, accounts)),
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
    getTokenLargestAccounts: (mint) =>
      ask({
        method: 'getTokenLargestAccounts',
        params: [mint, { commitment: 'finalized' }],
        schema: largestAccountsAnswer,
        isAbsent: (answer) => answer.length === 0,
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

function simulating(wireBase64: string, addresses: readonly string[]) {
  const asSigned = { sigVerify: false, replaceRecentBlockhash: false };
  const accounts = { encoding: 'base64', addresses };
  return {
    method: 'simulateTransaction',
    params: [wireBase64, { encoding: 'base64', commitment: 'confirmed', ...asSigned, accounts }],
    schema: simulationAnswer,
  };
}
