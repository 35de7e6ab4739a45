import { z } from 'zod';
import type { Settings } from './settings';
import { ensureKey, type KeyFile } from './stack-keys';

/** Enough for a tree of any size and thousands of mints; and for as many payments. */
const PURSE_SOL = 1_000;
const LOW_LAMPORTS = 100_000_000_000n;
const USDC = { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' };

const balance = z.object({ value: z.number() });
const accounts = z.object({ value: z.array(z.unknown()) });

/**
 * Fills the purses of the embedded minter and fee payer from the faucet when they run low, and opens the
 * USDC account that fees are paid to. What the user brings is left alone.
 */
export async function fundKeys(settings: Settings, say: (line: string) => void): Promise<void> {
  const { given, dataDir, chain } = settings;
  if (!given.minterKey) await fund(chain.url, 'minter', ensureKey(dataDir, 'minter'), say);
  if (!given.feePayerKey) await fund(chain.url, 'fee payer', ensureKey(dataDir, 'fee-payer'), say);
  if (given.payTo) return;
  const wallet = ensureKey(dataDir, 'pay-to').publicKey;
  const { value } = accounts.parse(
    await call(chain.url, 'getTokenAccountsByOwner', [wallet, USDC, { encoding: 'base64' }]),
  );
  if (value.length > 0) return;
  // The faucet opens accounts by its gifts, of which this is the smallest.
  await post(`${chain.url}/faucet`, { wallet, token: 'USDC', amount: '0.000001' });
  say('opened the USDC account that fees are paid to');
}

async function fund(
  url: string,
  name: string,
  { publicKey: wallet }: KeyFile,
  say: (line: string) => void,
): Promise<void> {
  const { value } = balance.parse(await call(url, 'getBalance', [wallet]));
  if (BigInt(value) >= LOW_LAMPORTS) return;
  await post(`${url}/faucet`, { wallet, sol: PURSE_SOL });
  say(`gave the ${name} ${PURSE_SOL} play SOL`);
}

async function call(url: string, method: string, params: unknown[]): Promise<unknown> {
  const answer = await post(url, { jsonrpc: '2.0', id: 1, method, params });
  return z.object({ result: z.unknown() }).parse(answer).result;
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
