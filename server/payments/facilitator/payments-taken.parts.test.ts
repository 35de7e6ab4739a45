import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Keypair } from '@solana/web3.js';
import { assertLamports } from '@/devnet/chain/testing/lighthouse-instructions';
import { MEMO_PROGRAMS } from '@quittance/verify/chain/programs';
import { followedBy, present } from './attacks.fixture';
import {
  makePayment,
  memo,
  PRICE,
  startShop,
  tokenAccount,
  type Shop,
  type Wish,
} from './exact.fixture';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

describe.each([1, 2] as const)('a payment of x402 version %i is taken', (version) => {
  it.each<[string, (payer: Keypair) => Wish]>([
    ['in a legacy message', () => ({ legacy: true })],
    ['with a memo v1', () => followedBy(memo('x', [], MEMO_PROGRAMS.v1))],
    ['with a memo v4', () => followedBy(memo('x', [], MEMO_PROGRAMS.v4))],
    [
      'with a memo v4 that its payer signs',
      (payer) => followedBy(memo('x', [payer.publicKey], MEMO_PROGRAMS.v4)),
    ],
    [
      'with memos of all three programs',
      () => followedBy(...Object.values(MEMO_PROGRAMS).map((id) => memo('x', [], id))),
    ],
    [
      'with the guards of its wallet',
      (payer) =>
        followedBy(
          assertLamports(payer.publicKey, 1n),
          assertLamports(tokenAccount(shop.payTo), 1n),
        ),
    ],
    ['at the largest limit and price', () => ({ units: 120_000, microLamports: 100_000 })],
  ])('%s, and costs the fee payer 22,000 lamports at most', async (_, wish) => {
    const payer = await shop.chain.wallet({ sol: 1, token: 'USDC', amount: '1' });
    const seen = await present(shop, version, makePayment(shop, { payer, ...wish(payer) }));
    expect(seen).toMatchObject({ reason: null, earned: PRICE });
    expect(seen.costLamports).toBeGreaterThanOrEqual(10_000n);
    expect(seen.costLamports).toBeLessThanOrEqual(22_000n);
  });
});
