import { z } from 'zod';
import { type AskNode, NoJson, postJson } from './post-json';

const answer = z.object({ result: z.object({ signatures: z.array(z.string()) }) });

/**
 * The signatures of all transactions of the final block of a slot, from one node; null where it gives no such
 * block, for whatever reason: that says nothing about the block.
 */
export async function readBlockSignatures(
  url: string,
  slot: number,
  ask: AskNode = postJson,
): Promise<string[] | null> {
  const wish = {
    transactionDetails: 'signatures',
    rewards: false,
    commitment: 'finalized',
    maxSupportedTransactionVersion: 0,
  };
  const params = [slot, wish];
  try {
    const told = await ask(url, { jsonrpc: '2.0', id: 1, method: 'getBlock', params });
    return answer.safeParse(told).data?.result.signatures ?? null;
  } catch (error) {
    if (error instanceof NoJson) return null;
    throw error;
  }
}
