import { z } from 'zod';
import type { ProofReader } from './chain-reader';
import { type AskNode, NoJson, postJson } from './post-json';
import { isNodeTrouble, RpcRefused, RpcUnavailable } from './rpc-errors';
import {
  accountAnswer,
  hashAnswer,
  historyAnswer,
  ownedAccountsAnswer,
  PAGE,
  signaturesAnswer,
  statusesAnswer,
  transactionAnswer,
} from './rpc-schemas';

const answer = z.object({
  error: z
    .object({ code: z.number(), message: z.string().default(''), data: z.unknown() })
    .optional(),
  result: z.unknown(),
});

/** Reads one Solana node: each question is asked once, by `asking` where answers come from elsewhere. */
export function readNode(url: string, asking: AskNode = postJson): ProofReader {
  const ask = <T>(method: string, params: readonly unknown[], schema: z.ZodType<T>) =>
    askNode({ url, method, params, schema, asking });
  return {
    getTransaction: (signature, commitment) =>
      ask(
        'getTransaction',
        [signature, { encoding: 'json', commitment, maxSupportedTransactionVersion: 0 }],
        transactionAnswer,
      ),
    getSignatureStatuses: (signatures) =>
      ask(
        'getSignatureStatuses',
        [signatures, { searchTransactionHistory: true }],
        statusesAnswer(signatures.length),
      ),
    getAccountInfo: (address) =>
      ask(
        'getAccountInfo',
        [address, { encoding: 'base64', commitment: 'confirmed' }],
        accountAnswer,
      ),
    getSignaturesForAddress: (address, { before }) =>
      ask(
        'getSignaturesForAddress',
        [
          address,
          { commitment: 'confirmed', limit: PAGE, ...(before !== undefined && { before }) },
        ],
        historyAnswer,
      ),
    getBlock: (slot) => ask('getBlock', [Number(slot), SIGNATURES_ALONE], signaturesAnswer),
    getOwnedAccounts: (wallet, program) =>
      ask(
        'getTokenAccountsByOwner',
        [wallet, { programId: program }, { encoding: 'base64', commitment: 'confirmed' }],
        ownedAccountsAnswer,
      ),
    getGenesisHash: () => ask('getGenesisHash', [], hashAnswer),
  };
}

const SIGNATURES_ALONE = {
  transactionDetails: 'signatures',
  rewards: false,
  commitment: 'finalized',
  maxSupportedTransactionVersion: 0,
};

async function askNode<T>(o: {
  url: string;
  method: string;
  params: readonly unknown[];
  schema: z.ZodType<T>;
  asking: AskNode;
}): Promise<T> {
  const { url, method, params } = o;
  const unusable = (reason: string, cause?: unknown) =>
    new RpcUnavailable(`No usable answer to ${method}: ${reason}`, { cause });
  const told = await o
    .asking(url, { jsonrpc: '2.0', id: 1, method, params })
    .catch((error: unknown) => {
      throw error instanceof NoJson ? unusable(error.message, error) : error;
    });
  const { host } = new URL(url);
  const parsed = answer.safeParse(told);
  if (!parsed.success) throw unusable(`${host} did not answer in JSON-RPC`);
  const { error } = parsed.data;
  if (error && isNodeTrouble(error.code))
    throw unusable(`${host} answered ${error.code} ${error.message}`);
  if (error) throw new RpcRefused(method, error.code, error.message, error.data);
  const result = o.schema.safeParse(parsed.data.result);
  if (!result.success) throw unusable(`${host} answered in an unknown shape`);
  return result.data;
}
