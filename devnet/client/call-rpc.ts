import { z } from 'zod';

const answer = z.object({ result: z.unknown() });

/**
 * One JSON-RPC call to the embedded chain. Returns its result. Throws when none comes within 10 s.
 */
export async function callRpc(rpcUrl: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  return answer.parse(await response.json()).result;
}
