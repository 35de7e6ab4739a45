import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseSecretKey, publicKeyOf } from '../server/keys';
import type { Settings } from './settings';

/** Enough for a tree of any size and thousands of mints. */
const PURSE_SOL = 1_000;
const LOW_LAMPORTS = 100_000_000_000n;

/** Fills the embedded minter's purse from the faucet when it runs low. A key of the user's own is left alone. */
export async function fundMinter(settings: Settings, say: (line: string) => void): Promise<void> {
  if (settings.given.minterKey) return;
  const secret = parseSecretKey(
    readFileSync(join(settings.dataDir, 'keys', 'minter.json'), 'utf8'),
  );
  if (!secret) return;
  const wallet = publicKeyOf(secret);
  const balance = await post(settings.chain.url, {
    jsonrpc: '2.0',
    id: 1,
    method: 'getBalance',
    params: [wallet],
  });
  const { result } = z.object({ result: z.object({ value: z.number() }) }).parse(balance);
  if (BigInt(result.value) >= LOW_LAMPORTS) return;
  await post(`${settings.chain.url}/faucet`, { wallet, sol: PURSE_SOL });
  say(`gave the minter ${PURSE_SOL} play SOL`);
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}
