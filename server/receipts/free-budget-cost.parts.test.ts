import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { ServiceError } from '@/server/errors';
import { chooseLimits } from '@/server/limits';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { takeFreeMint, type FreeMintWish } from './free-budget';

let database: TestDatabase;
let chain: TestChain;
beforeAll(async () => {
  [database, chain] = await Promise.all([createTestDatabase(), startTestChain()]);
});
afterAll(() => Promise.all([database.close(), chain.close()]));

const limits = chooseLimits(undefined, { isLocal: false }) ?? neverOff();
const now = new Date('2026-03-01T12:00:00Z');
const DUST = 1n;
const CENT = 10_000n;
/** Partners that a wallet needs for all its receipts: a pair has only so many. */
const PARTNERS = limits.free_wallet / limits.free_pair;

type Emptied = { receipts: number; wallets: number; clients: number; refusal: string };

/**
 * The cheapest attack that uses up the free receipts of transfers of one value. A ring of wallets
 * pay each other. Each wallet and each client address requests as many receipts as it may.
 */
async function empty(usdMicros: bigint): Promise<Emptied> {
  let receipts = 0;
  for (let wallet = 0; ; wallet += 1) {
    const wishes = Array.from({ length: limits.free_wallet }, (_, n): FreeMintWish => {
      const payer = `W${usdMicros}-${wallet}`;
      const seller = `W${usdMicros}-${wallet + 1 + (n % PARTNERS)}`;
      const client = `C${usdMicros}-${Math.floor((receipts + n) / limits.free_client)}`;
      return { wallet: payer, payer, seller, client, usdMicros };
    });
    const refusal = await take(wishes);
    if (refusal !== null)
      return {
        receipts,
        wallets: wallet,
        clients: Math.ceil(receipts / limits.free_client),
        refusal,
      };
    receipts += wishes.length;
    const [first] = wishes;
    // Neither this wallet nor another one of the address has any left.
    if (first) expect(await take([first])).toContain('used up');
  }
}

/** All of them or none; the text of the refusal, or null. */
async function take(wishes: readonly FreeMintWish[]): Promise<string | null> {
  try {
    await database.prisma.$transaction(
      async (tx) => {
        for (const wish of wishes) await takeFreeMint(tx, { wish, limits, now });
      },
      { timeout: 90_000 },
    );
    return null;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 429) return error.message;
    throw error;
  }
}

function neverOff(): never {
  throw new Error('the default limits are not off');
}

/** Lamports that a plain transfer costs its sender, and that a new wallet must hold, on the chain's own rules. */
async function chainCosts(): Promise<{ feeLamports: bigint; walletLamports: bigint }> {
  const [from, to] = [await chain.wallet({ sol: 1 }), Keypair.generate()];
  const sent = 2_000_000;
  await chain.slots(3);
  const before = await balanceOf(from);
  await chain.send(chain.transfer({ from, to: to.publicKey, lamports: sent }));
  await chain.slots(3);
  const { result } = await chain.call('getMinimumBalanceForRentExemption', [0]);
  return {
    feeLamports: before - (await balanceOf(from)) - BigInt(sent),
    walletLamports: BigInt(Number(result)),
  };
}

async function balanceOf({ publicKey }: Keypair): Promise<bigint> {
  const { result } = await chain.call('getBalance', [
    publicKey.toBase58(),
    { commitment: 'confirmed' },
  ]);
  return BigInt(z.object({ value: z.number() }).parse(result).value);
}

it('emptying the free receipts of a day costs an attacker so many wallets, addresses and fees', async () => {
  const { feeLamports, walletLamports } = await chainCosts();
  expect([feeLamports, walletLamports]).toEqual([5_000n, 890_880n]);

  // Dust ends at half of the day: ordinary small payments still get their receipts.
  const dust = await empty(DUST);
  expect(dust).toMatchObject({ receipts: 1_000, wallets: 50, clients: 20 });
  expect(dust.refusal).toContain('under 0.01 USD');

  // The other half takes real cents, in the hands of as many wallets, from as many addresses again.
  const cents = await empty(CENT);
  expect(cents).toMatchObject({ receipts: 1_000, wallets: 50, clients: 20 });
  expect(cents.refusal).toContain('2000 free receipts of the service');

  const receipts = BigInt(dust.receipts + cents.receipts);
  const wallets = BigInt(dust.wallets + cents.wallets);
  // Gone each day: 0.01 SOL. Tied up: 0.089088 SOL in 100 wallets. Client addresses: 40.
  expect(receipts * feeLamports).toBe(10_000_000n);
  expect([wallets, wallets * walletLamports]).toEqual([100n, 89_088_000n]);
  expect(dust.clients + cents.clients).toBe(40);
});
