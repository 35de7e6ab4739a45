import { describe, expect, it } from 'vitest';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import { MadeTransaction, named, SOL, USDC } from '../../tests/harness/chain/made-transaction';
import {
  codeOf,
  EURC,
  PRICES,
  readMade as read,
  transferOf,
} from '../../tests/harness/chain/read-made';

const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const RAYDIUM = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8';

/**
 * The payer gives 150 USDC to a pool, which gives SOL, and the payer's wallet passes the SOL on. It
 * is the form of a Jupiter route: the aggregator calls the pool's program, which moves both tokens.
 */
const route = (o: {
  sol: bigint;
  toSeller: bigint;
  program?: string;
  callsToo?: string;
  fee?: bigint;
}) => {
  const program = o.program ?? JUPITER;
  const fee = o.fee ?? 0n;
  const tx = new MadeTransaction({ feePayer: 'payer' })
    .mint(WRAPPED_SOL, { decimals: 9 })
    .account('payer usdc', { owner: 'payer', amount: 1_000_000_000n })
    .account('pool usdc', { owner: 'pda pool', amount: 9_000_000_000n })
    .account('pool sol', { mint: WRAPPED_SOL, owner: 'pda pool', amount: 90n * SOL })
    .account('fee usdc', { owner: 'pda fees', amount: 0n })
    .open('purse', { mint: WRAPPED_SOL, owner: 'payer', payer: 'payer' })
    .add(program, ['pool usdc', 'pool sol', 'payer'], [1]);
  const called = o.callsToo ?? (program === JUPITER ? RAYDIUM : null);
  if (called !== null) tx.add(called, ['pool usdc', 'pool sol'], [9], program);
  tx.send('payer usdc', 'pool usdc', 150_000_000n - fee, { authority: 'payer', by: program }).send(
    'pool sol',
    'purse',
    o.sol,
    { authority: 'pda pool', by: program },
  );
  if (fee > 0n) tx.send('payer usdc', 'fee usdc', fee, { authority: 'payer', by: program });
  return tx.close('purse', 'payer', 'payer').sendSol('payer', 'seller', o.toSeller);
};

describe('a payment through an exchange', () => {
  it('is what the seller got, paid with what the payer gave', () => {
    expect(transferOf(read(route({ sol: SOL, toSeller: SOL })))).toMatchObject({
      payer: named('payer'),
      seller: named('seller'),
      mint: null,
      amount: SOL,
      paidWith: [{ mint: USDC, amount: 150_000_000n }],
      change: [],
      otherLegs: [],
    });
  });

  it('lists the wallets that took a fee on the way as legs', () => {
    expect(
      transferOf(
        read(route({ sol: (SOL * 99n) / 100n, toSeller: (SOL * 99n) / 100n, fee: 1_500_000n })),
      ),
    ).toMatchObject({
      otherLegs: [{ owner: named('pda fees'), mint: USDC, amount: 1_500_000n }],
      paidWith: [{ amount: 150_000_000n }],
    });
  });

  it('may give change of less than 20 %; with more the payer has swapped', () => {
    const withChange = (percent: bigint) =>
      read(route({ sol: SOL, toSeller: (SOL * (100n - percent)) / 100n }));
    expect(transferOf(withChange(19n))).toMatchObject({
      amount: (SOL * 81n) / 100n,
      change: [{ owner: named('payer'), amount: (SOL * 19n) / 100n }],
    });
    expect(codeOf(withChange(20n))).toBe('not_a_payment');
    expect(codeOf(withChange(60n))).toBe('not_a_payment');
  });

  it('is not a payment when nobody else was paid, at any prices', () => {
    const swap = route({ sol: SOL, toSeller: 0n });
    expect(interpretTransaction(swap.raw(), { network: 'mainnet' })).toMatchObject({
      code: 'not_a_payment',
    });
  });

  it('must give within 10 % of what it got', () => {
    const gave = (sol: bigint) => codeOf(read(route({ sol, toSeller: sol })));
    expect(gave((SOL * 90n) / 100n)).toBe('ok');
    expect(gave((SOL * 899n) / 1000n)).toBe('not_a_payment');
    expect(gave((SOL * 110n) / 100n)).toBe('ok');
    expect(gave((SOL * 1101n) / 1000n)).toBe('not_a_payment');
  });

  it('depends on prices: without them it says which are needed', () => {
    const raw = route({ sol: SOL, toSeller: SOL }).raw();
    expect(interpretTransaction(raw, { network: 'mainnet' })).toMatchObject({
      ok: false,
      code: 'price_needed',
      needs: [null],
    });
    expect(transferOf(read(route({ sol: SOL, toSeller: SOL }))).prices).toHaveLength(2);
  });

  it('is not a payment through the payer’s own program that poses as an exchange', () => {
    const forged = route({ sol: SOL, toSeller: SOL, program: 'payers own program' });
    expect(codeOf(read(forged))).toBe('not_a_payment');
    const beside = forged.add(JUPITER, ['pool usdc', 'pool sol'], [1]);
    expect(codeOf(read(beside))).toBe('not_a_payment');
    const within = route({
      sol: SOL,
      toSeller: SOL,
      program: 'payers own program',
      callsToo: JUPITER,
    });
    expect(codeOf(read(within))).toBe('not_a_payment');
  });

  it('is not a payment when the tokens from the exchange have no valuation', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .account('payer usdc', { owner: 'payer', amount: 10n })
      .account('pool usdc', { owner: 'pda pool', amount: 0n })
      .account('pool coin', { mint: 'coin', owner: 'pda pool', amount: 100n })
      .account('seller coin', { mint: 'coin', owner: 'seller', amount: 0n })
      .send('payer usdc', 'pool usdc', 10n, { authority: 'payer', by: RAYDIUM })
      .send('pool coin', 'seller coin', 50n, { authority: 'pda pool', by: RAYDIUM });
    expect(codeOf(read(tx))).toBe('not_a_payment');
  });

  it('passes from pool to pool: a token in between without valuation cancels out', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .mint(EURC, { decimals: 6 })
      .account('payer usdc', { owner: 'payer', amount: 110_000_000n })
      .account('a usdc', { owner: 'pda a', amount: 0n })
      .account('a coin', { mint: 'coin', owner: 'pda a', amount: 100n })
      .account('b coin', { mint: 'coin', owner: 'pda b', amount: 0n })
      .account('b eurc', { mint: EURC, owner: 'pda b', amount: 500_000_000n })
      .account('seller eurc', { mint: EURC, owner: 'seller', amount: 0n })
      .send('payer usdc', 'a usdc', 110_000_000n, { authority: 'payer', by: RAYDIUM })
      .send('a coin', 'b coin', 7n, { authority: 'pda a', by: RAYDIUM })
      .send('b eurc', 'seller eurc', 100_000_000n, { authority: 'pda b', by: RAYDIUM });
    expect(transferOf(read(tx))).toMatchObject({ mint: EURC, amount: 100_000_000n });
  });
});

describe('a payment with goods', () => {
  const nft = (giver: string) =>
    new MadeTransaction({ feePayer: 'payer', signers: ['seller'] })
      .mint('item', { decimals: 0 })
      .account('stock', { mint: 'item', owner: giver, amount: 1n })
      .account('shelf', { mint: 'item', owner: 'payer', amount: 0n })
      .send('stock', 'shelf', 1n, { authority: giver, by: 'market' });

  it('is an NFT sale, from a wallet or through an escrow, with the cut of the market beside', () => {
    for (const giver of ['seller', 'pda escrow']) {
      const sale = nft(giver)
        .sendSol('payer', 'seller', (93n * SOL) / 10n)
        .sendSol('payer', 'market', SOL / 2n);
      expect(transferOf(read(sale))).toMatchObject({
        seller: named('seller'),
        amount: (93n * SOL) / 10n,
        goods: [{ mint: named('item'), amount: 1n }],
        otherLegs: [{ owner: named('market'), amount: SOL / 2n }],
      });
    }
  });

  it('is one of a vault as well, such as a multisig that buys an NFT from a wallet', () => {
    const bought = (item: { decimals: number; amount: bigint }, seller: string) =>
      new MadeTransaction({ feePayer: 'member', signers: ['seller'] })
        .mint('item', { decimals: item.decimals })
        .wallet('pda vault', 50n * SOL)
        .account('stock', { mint: 'item', owner: seller, amount: item.amount })
        .account('shelf', { mint: 'item', owner: 'pda vault', amount: 0n })
        .send('stock', 'shelf', item.amount, { authority: seller, by: 'multisig' })
        .sendSol('pda vault', seller, 5n * SOL, { by: 'multisig' });
    const nft = { decimals: 0, amount: 1n };
    expect(transferOf(read(bought(nft, 'seller')))).toMatchObject({
      payer: named('pda vault'),
      payerKind: 'program',
      seller: named('seller'),
      amount: 5n * SOL,
      goods: [{ mint: named('item'), amount: 1n }],
    });
    // From a program account it is a swap, and so is a pool that takes a coin for SOL.
    expect(codeOf(read(bought(nft, 'pda market')))).toBe('not_a_payment');
    expect(codeOf(read(bought({ decimals: 6, amount: 9_000n }, 'seller')))).toBe('not_a_payment');
  });

  it('is a purchase of a token that is minted for it, such as points of a shop', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .account('points', { mint: 'shop points', owner: 'payer', amount: 0n })
      .sendSol('payer', 'shop', SOL)
      .mintTo('points', 50n);
    expect(transferOf(read(tx))).toMatchObject({
      goods: [{ mint: named('shop points'), amount: 50n }],
      leftOut: expect.arrayContaining([expect.objectContaining({ reason: 'minted', amount: 50n })]),
    });
  });

  it('is not a payment to a program account, or when one is paid for something minted', () => {
    expect(codeOf(read(nft('pda escrow').sendSol('payer', 'pda pool', SOL)))).toBe('not_a_payment');
    const shares = new MadeTransaction({ feePayer: 'payer' })
      .account('share', { mint: 'shares', owner: 'payer', amount: 0n })
      .sendSol('payer', 'pda vault', SOL / 10n)
      .sendSol('payer', 'seller', SOL)
      .mintTo('share', 5n);
    expect(codeOf(read(shares))).toBe('not_a_payment');
  });

  it('of a kind without token balances is one to a wallet, and none to a program account', () => {
    const core = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d';
    const inUsdc = (seller: string) =>
      new MadeTransaction({ feePayer: 'payer' })
        .account('payer usdc', { owner: 'payer', amount: 200_000_000n })
        .account('seller usdc', { owner: seller, amount: 0n })
        .send('payer usdc', 'seller usdc', 150_000_000n, { authority: 'payer' })
        .add(core, ['asset', 'payer'], [14]);
    const inSol = (seller: string) =>
      new MadeTransaction({ feePayer: 'payer' })
        .sendSol('payer', seller, SOL)
        .add(core, ['asset', 'payer'], [14]);
    for (const sale of [inUsdc, inSol]) {
      expect(transferOf(read(sale('seller')))).toMatchObject({
        seller: named('seller'),
        goods: [],
      });
      expect(codeOf(read(sale('pda market')))).toBe('not_a_payment');
    }
  });

  it('is not a payment when something valued comes back', () => {
    const tx = nft('seller')
      .account('payer usdc', { owner: 'payer', amount: 0n })
      .account('seller usdc', { owner: 'seller', amount: 9n })
      .sendSol('payer', 'seller', SOL)
      .send('seller usdc', 'payer usdc', 1n, { authority: 'seller' });
    expect(codeOf(read(tx))).toBe('not_a_payment');
  });
});

describe('one payer and several legs', () => {
  const pay = () =>
    new MadeTransaction({ feePayer: 'payer', lamports: 100n * SOL })
      .account('payer usdc', { owner: 'payer', amount: 10_000_000_000n })
      .account('seller usdc', { owner: 'seller', amount: 0n });

  it('are weighed in dollars: 80 % is the transfer, less is several sellers or several tokens', () => {
    const both = (usdc: bigint, sol: bigint, to: string) =>
      read(
        pay()
          .send('payer usdc', 'seller usdc', usdc, { authority: 'payer' })
          .sendSol('payer', to, sol),
      );
    expect(transferOf(both(600_000_000n, SOL, 'shop'))).toMatchObject({
      mint: USDC,
      otherLegs: [{ owner: named('shop'), mint: null }],
    });
    expect(codeOf(both(599_000_000n, SOL, 'shop'))).toBe('several_sellers');
    expect(codeOf(both(599_000_000n, SOL, 'seller'))).toBe('several_tokens');
    expect(codeOf(both(600_000_000n, SOL, 'seller'))).toBe('ok');
  });

  it('are not decided by one without valuation, which must go to the seller as well', () => {
    const coin = (to: string) =>
      read(
        pay()
          .account('coins', { mint: 'coin', owner: 'payer', amount: 1_000n })
          .account('to coins', { mint: 'coin', owner: to, amount: 0n })
          .send('payer usdc', 'seller usdc', 1n, { authority: 'payer' })
          .send('coins', 'to coins', 900n, { authority: 'payer' }),
      );
    expect(transferOf(coin('seller'))).toMatchObject({
      mint: USDC,
      otherLegs: [{ mint: named('coin'), amount: 900n }],
    });
    expect(codeOf(coin('other'))).toBe('several_sellers');
  });

  it('of a vault are its payout and the fee of the keeper who ran it', () => {
    const tx = new MadeTransaction({ feePayer: 'keeper' })
      .account('vault usdc', { owner: 'pda vault', amount: 5_000_000_000n })
      .account('user usdc', { owner: 'user', amount: 0n })
      .account('keeper usdc', { owner: 'keeper', amount: 0n })
      .send('vault usdc', 'user usdc', 990_000_000n, {
        authority: 'pda vault',
        by: 'vault program',
      })
      .send('vault usdc', 'keeper usdc', 10_000_000n, {
        authority: 'pda vault',
        by: 'vault program',
      });
    expect(transferOf(read(tx))).toMatchObject({
      payer: named('pda vault'),
      payerKind: 'program',
      seller: named('user'),
      sellerKind: 'wallet',
      otherLegs: [{ owner: named('keeper'), amount: 10_000_000n }],
    });
  });

  it('choose alike for ever: the same prices give the same answer', () => {
    const raw = pay()
      .send('payer usdc', 'seller usdc', 600_000_000n, { authority: 'payer' })
      .sendSol('payer', 'shop', SOL)
      .raw();
    const at = (usd: bigint) =>
      interpretTransaction(raw, {
        network: 'mainnet',
        prices: PRICES.map((price) =>
          price.mint === null ? { ...price, usdPerUnit: { num: usd, den: 1n } } : price,
        ),
      });
    expect(at(150n)).toMatchObject({ ok: true, transfer: { mint: USDC } });
    expect(at(151n)).toMatchObject({ ok: false, code: 'several_sellers' });
    expect(at(10_000n)).toMatchObject({ ok: true, transfer: { mint: null } });
  });
});
