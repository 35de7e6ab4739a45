import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, answerText, readJson } from './http';
import { lookUpFunding, type Funding } from './look-up-funding';
import type { StorageNode } from './storage-node';

const MOST_BODY_BYTES = 4096;
const fundBody = z.object({ tx_id: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/) });

/** `GET /account/balance/solana?address=`. */
export function answerBalance(
  node: StorageNode,
  response: ServerResponse,
  address: string | null,
): void {
  if (address === null) return answerText(response, 400, 'Missing address');
  answerJson(response, { balance: node.accounts.balance(address).toString() });
}

/**
 * `POST /account/balance/solana {tx_id}`: credits a finalized transfer to its sender, once. 202
 * before it is finalized.
 */
export async function takeFunding(
  node: StorageNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = fundBody.safeParse(await readJson(request, MOST_BODY_BYTES));
  if (!body.success) return answerText(response, 400, 'Invalid tx_id');
  const state = await node.serialise(() => credit(node, body.data.tx_id));
  if (state === 'final') return answerJson(response, { confirmed: true });
  if (state === 'pending') return answerJson(response, { confirmed: false }, 202);
  if (state === 'used') return answerText(response, 400, 'Transaction already processed');
  answerText(response, 400, 'Invalid tx');
}

async function credit(node: StorageNode, signature: string): Promise<Funding['state'] | 'used'> {
  if (node.accounts.hasFunding(signature)) return 'used';
  if (node.rpcUrl === null) return 'invalid';
  const funding = await lookUpFunding({
    rpcUrl: node.rpcUrl,
    signature,
    to: node.keys.address,
  });
  if (funding.state === 'final') await node.accounts.addFunding({ signature, ...funding });
  return funding.state;
}
