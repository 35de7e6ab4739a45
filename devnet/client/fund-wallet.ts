import { z } from 'zod';

const faucetAnswer = z.object({ success: z.literal(true), signatures: z.array(z.string()) });

/** Asks the embedded chain's faucet for SOL and tokens. `amount` is in units of the token. */
export async function fundWallet(
  rpcUrl: string,
  wish: { wallet: string; sol?: number; token?: string; amount?: string },
): Promise<string[]> {
  const response = await fetch(new URL('/faucet', rpcUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
  const body: unknown = await response.json();
  if (!response.ok)
    throw new Error(`the faucet answers ${response.status}: ${JSON.stringify(body)}`);
  return faucetAnswer.parse(body).signatures;
}
