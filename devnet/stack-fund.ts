import { z } from 'zod';
import { PLANTED_MINTS } from './chain/addresses';
import { callRpc } from './client/call-rpc';
import { fundWallet } from './client/fund-wallet';
import type { Settings } from './settings';
import { ensureKey, type KeyFile } from './stack-keys';

/** Enough for a tree of any size and thousands of mints, and for as many payments. */
const FUNDED_SOL = 1_000;
const LOW_LAMPORTS = 100_000_000_000n;

const balance = z.object({ value: z.number() });
const accounts = z.object({ value: z.array(z.unknown()) });

/**
 * Funds the embedded minter and fee payer from the faucet when they run low, and opens the USDC
 * account that fees are paid to. Parts that the user brings are not changed.
 */
export async function fundKeys(settings: Settings, say: (line: string) => void): Promise<void> {
  const { given, dataDir, chain } = settings;
  if (!given.minterKey) await fund(chain.url, 'minter', ensureKey(dataDir, 'minter'), say);
  if (!given.feePayerKey) await fund(chain.url, 'fee payer', ensureKey(dataDir, 'fee-payer'), say);
  if (given.payTo) return;
  const usdc = PLANTED_MINTS.find(({ symbol }) => symbol === 'USDC');
  const wallet = ensureKey(dataDir, 'pay-to').publicKey;
  const { value } = accounts.parse(
    await callRpc(chain.url, 'getTokenAccountsByOwner', [
      wallet,
      { mint: usdc?.mint },
      { encoding: 'base64' },
    ]),
  );
  if (value.length > 0) return;
  // The faucet opens accounts by its gifts. This is the smallest gift.
  await fundWallet(chain.url, { wallet, token: 'USDC', amount: '0.000001' });
  say('opened the USDC account that fees are paid to');
}

async function fund(
  url: string,
  name: string,
  { publicKey: wallet }: KeyFile,
  say: (line: string) => void,
): Promise<void> {
  const { value } = balance.parse(await callRpc(url, 'getBalance', [wallet]));
  if (BigInt(value) >= LOW_LAMPORTS) return;
  await fundWallet(url, { wallet, sol: FUNDED_SOL });
  say(`gave the ${name} ${FUNDED_SOL} play SOL`);
}
