import { signatureAnswer } from '@quittance/verify/chain/rpc-schemas';
import { isNodeSilence, RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';

/**
 * Sends through every node at once and returns the signature from the first answer: a node may
 * accept a transaction and pass it to nobody. If no node accepted it, throws the strongest refusal.
 * A refusal that leaves open whether it landed outweighs a definite one, and a silent node may have
 * accepted it. Throws RpcUnavailable when all were silent. The sends that are not awaited continue.
 */
export async function sendToAll(sends: readonly Promise<string>[]): Promise<string> {
  const refusals: RpcRefused[] = [];
  const silences: RpcUnavailable[] = [];
  try {
    return await Promise.any(sends);
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    const reasons: unknown[] = error.errors;
    for (const reason of reasons) {
      if (!isNodeSilence(reason)) throw reason;
      if (reason instanceof RpcRefused) refusals.push(reason);
      else silences.push(reason);
    }
  }
  const refusal = refusals.find(mayHaveLanded) ?? refusals[0];
  if (refusal) throw silences.length > 0 ? refusal.afterTrouble() : refusal;
  throw silences[0] ?? new RpcUnavailable('There is no node to send with');
}

/**
 * Whether a refused send leaves open whether the transaction landed or will. The node may have
 * processed it already, or may be behind or ahead of its blockhash.
 */
export function mayHaveLanded(refusal: RpcRefused): boolean {
  return isProcessedAlready(refusal) || isBlockhashUnknown(refusal);
}

/** A node has processed the transaction already. */
export function isProcessedAlready(refusal: RpcRefused): boolean {
  return /already been processed|AlreadyProcessed/i.test(wordsOf(refusal));
}

/** The node that tried the transaction out does not know its blockhash. */
export function isBlockhashUnknown(refusal: RpcRefused): boolean {
  return /blockhash not found|BlockhashNotFound/i.test(wordsOf(refusal));
}

function wordsOf({ message, data }: RpcRefused): string {
  return `${message} ${JSON.stringify(data ?? null)}`;
}

/** The question that sends signed bytes (base64) by one node, which repeats nothing. */
export function sending(wireBase64: string, skipPreflight: boolean) {
  const options = { skipPreflight, maxRetries: 0, preflightCommitment: 'confirmed' };
  return {
    method: 'sendTransaction',
    params: [wireBase64, { encoding: 'base64', ...options }],
    schema: signatureAnswer,
  };
}
