import { describe, expect, it } from 'vitest';
import { TOKEN_2022 } from '@quittance/verify/chain/programs';
import {
  BLOCK_TIME,
  MadeTransaction,
  named,
  USDC,
} from '../../tests/harness/chain/made-transaction';
import { codeOf, readMade as read, transferOf } from '../../tests/harness/chain/read-made';

const PYUSD = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo';

/** Payer with 10 USDC, seller with 1. */
const pair = (o: { feePayer?: string; signers?: string[] } = {}): MadeTransaction =>
  new MadeTransaction({ feePayer: o.feePayer ?? 'payer', signers: o.signers })
    .account('payer usdc', { owner: 'payer', amount: 10_000_000n })
    .account('seller usdc', { owner: 'seller', amount: 1_000_000n });

const paid = (amount = 2_500_000n, o: { feePayer?: string; signers?: string[] } = {}) =>
  pair(o).send('payer usdc', 'seller usdc', amount, { authority: 'payer' });

describe('a payment in a token', () => {
  it('names wallets, mint, base units, time and slot', () => {
    expect(transferOf(read(paid()))).toMatchObject({
      payer: named('payer'),
      seller: named('seller'),
      mint: USDC,
      decimals: 6,
      amount: 2_500_000n,
      amountSent: 2_500_000n,
      feeWithheld: 0n,
      otherLegs: [],
      feePayer: named('payer'),
      slot: 250_000_000n,
      blockTime: new Date(BLOCK_TIME * 1000),
      finality: 'confirmed',
    });
  });

  it('takes mint and decimals of an unchecked transfer from the balances', () => {
    const tx = pair().send('payer usdc', 'seller usdc', 7n, { authority: 'payer', checked: false });
    expect(transferOf(read(tx))).toMatchObject({ mint: USDC, decimals: 6, amount: 7n });
  });

  it('keeps amounts beyond what a float can hold', () => {
    const amount = 385_251_615_739_626_837n;
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .account('from', { owner: 'payer', amount })
      .account('to', { owner: 'seller', amount: 0n })
      .send('from', 'to', amount, { authority: 'payer' });
    expect(transferOf(read(tx)).amount).toBe(amount);
  });

  it('takes a receiver account that this transaction opened, rent paid by the payer', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .account('payer usdc', { owner: 'payer', amount: 10n })
      .open('seller usdc', { owner: 'seller', payer: 'payer' })
      .send('payer usdc', 'seller usdc', 4n, { authority: 'payer' });
    expect(transferOf(read(tx))).toMatchObject({ seller: named('seller'), amount: 4n });
  });

  it('takes a source account that this transaction closed, rent back to the payer', () => {
    const tx = pair()
      .send('payer usdc', 'seller usdc', 10_000_000n, { authority: 'payer' })
      .close('payer usdc', 'payer', 'payer');
    expect(transferOf(read(tx)).amount).toBe(10_000_000n);
  });

  it('takes a delegate’s transfer as paid by the owner of the account', () => {
    const tx = pair({ feePayer: 'delegate' }).send('payer usdc', 'seller usdc', 5n, {
      authority: 'delegate',
      by: 'some program',
    });
    expect(transferOf(read(tx))).toMatchObject({
      payer: named('payer'),
      feePayer: named('delegate'),
    });
  });

  it('takes a multisig’s transfer as paid by the multisig, signers are no references', () => {
    const tx = new MadeTransaction({ feePayer: 'member 1', signers: ['member 2'] })
      .account('vault', { owner: 'multisig', amount: 9n })
      .account('seller usdc', { owner: 'seller', amount: 0n })
      .send('vault', 'seller usdc', 9n, { authority: 'multisig', extra: ['member 1', 'member 2'] });
    expect(transferOf(read(tx))).toMatchObject({ payer: named('multisig'), references: [] });
  });

  it('keeps payer and fee payer apart when somebody else pays the network', () => {
    expect(transferOf(read(paid(1n, { feePayer: 'sponsor', signers: ['payer'] })))).toMatchObject({
      payer: named('payer'),
      feePayer: named('sponsor'),
    });
  });

  it('lists memos of any depth and reference keys', () => {
    const tx = pair()
      .memo('before')
      .send('payer usdc', 'seller usdc', 5n, { authority: 'payer', extra: ['payer', 'reference'] })
      .memo('inside', 'some program');
    expect(transferOf(read(tx))).toMatchObject({
      memos: ['before', 'inside'],
      references: [named('reference')],
    });
  });

  it('counts a pass through a middle account once', () => {
    const tx = pair()
      .account('middle usdc', { owner: 'middle', amount: 0n })
      .send('payer usdc', 'middle usdc', 6n, { authority: 'payer', by: 'router' })
      .send('middle usdc', 'seller usdc', 6n, { authority: 'middle', by: 'router' });
    expect(transferOf(read(tx))).toMatchObject({ seller: named('seller'), amount: 6n });
  });

  it('leaves tips to validators aside', () => {
    const tip = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5';
    expect(codeOf(read(paid().sendSol('payer', tip, 2_500n)))).toBe('ok');
  });

  it('reads owners that are programs’ accounts, also one that owns itself', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .account('from', { owner: 'payer', amount: 3n })
      .account('escrow', { owner: 'escrow', amount: 0n })
      .send('from', 'escrow', 3n, { authority: 'payer' });
    expect(transferOf(read(tx)).seller).toBe(named('escrow'));
  });
});

describe('a Token-2022 transfer fee', () => {
  const fresh = () =>
    new MadeTransaction({ feePayer: 'payer' })
      .mint('taxed', { decimals: 2, program: TOKEN_2022 })
      .account('from', { mint: 'taxed', owner: 'payer', amount: 1_000n })
      .account('to', { mint: 'taxed', owner: 'seller', amount: 0n });

  it('is what was sent and not received', () => {
    const tx = fresh().send('from', 'to', 1_000n, { authority: 'payer', withheld: 40n });
    expect(transferOf(read(tx))).toMatchObject({
      amount: 960n,
      amountSent: 1_000n,
      feeWithheld: 40n,
      tokenProgram: TOKEN_2022,
    });
  });

  it('is given only for the seller’s leg when there are others', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .mint(PYUSD, { decimals: 2, program: TOKEN_2022 })
      .account('from', { mint: PYUSD, owner: 'payer', amount: 1_000n })
      .account('to', { mint: PYUSD, owner: 'seller', amount: 0n })
      .account('cut', { mint: PYUSD, owner: 'marketplace', amount: 0n })
      .send('from', 'to', 900n, { authority: 'payer', withheld: 36n })
      .send('from', 'cut', 100n, { authority: 'payer', withheld: 4n });
    expect(transferOf(read(tx))).toMatchObject({
      amount: 864n,
      amountSent: 900n,
      feeWithheld: 36n,
      otherLegs: [{ owner: named('marketplace'), amount: 96n, amountSent: 100n }],
    });
  });

  it('does not count against the seller’s share: the sent amount is weighed', () => {
    const tx = (fee: bigint) =>
      new MadeTransaction({ feePayer: 'payer' })
        .mint(PYUSD, { decimals: 2, program: TOKEN_2022 })
        .account('from', { mint: PYUSD, owner: 'payer', amount: 1_000n })
        .account('to', { mint: PYUSD, owner: 'seller', amount: 0n })
        .account('cut', { mint: PYUSD, owner: 'marketplace', amount: 0n })
        .send('from', 'to', 800n, { authority: 'payer', withheld: fee })
        .send('from', 'cut', 200n, { authority: 'payer' });
    expect(codeOf(read(tx(0n)))).toBe('ok');
    expect(transferOf(read(tx(100n)))).toMatchObject({ amount: 700n, amountSent: 800n });
  });

  it('is not assumed for the original token program, where nothing may go missing', () => {
    const tx = pair().send('payer usdc', 'seller usdc', 100n, { authority: 'payer', withheld: 4n });
    expect(codeOf(read(tx))).toBe('not_a_payment');
  });
});

describe('several parties', () => {
  const split = (toSeller: bigint, toOther: bigint) =>
    pair()
      .account('other usdc', { owner: 'other', amount: 0n })
      .send('payer usdc', 'other usdc', toOther, { authority: 'payer' })
      .send('payer usdc', 'seller usdc', toSeller, { authority: 'payer' });

  it('take the receiver of exactly 80 % as seller and list the other legs', () => {
    expect(transferOf(read(split(80n, 20n)))).toMatchObject({
      seller: named('seller'),
      amount: 80n,
      amountSent: 80n,
      otherLegs: [{ owner: named('other'), amount: 20n }],
    });
  });

  it('are several sellers below 80 %', () => {
    expect(codeOf(read(split(7_999n, 2_001n)))).toBe('several_sellers');
  });

  it('are several payers, however small the second one', () => {
    const tx = paid(5_000_000n, { signers: ['helper'] })
      .account('helper usdc', { owner: 'helper', amount: 1n })
      .send('helper usdc', 'seller usdc', 1n, { authority: 'helper' });
    expect(codeOf(read(tx))).toBe('several_payers');
  });
});

describe('a transaction that is not a payment in a token', () => {
  it('is a failed one, with any contents', () => {
    expect(codeOf(read(paid(), { err: { InstructionError: [0, { Custom: 1 }] } }))).toBe(
      'transaction_failed',
    );
    expect(codeOf(read(paid(), { err: 'ProgramAccountNotFound' }))).toBe('transaction_failed');
  });

  it('is one without a block time', () => {
    expect(codeOf(read(paid(), { blockTime: null }))).toBe('unreadable_transaction');
  });

  it('is a transfer to oneself, to the same or to another own account', () => {
    const same = pair().send('payer usdc', 'payer usdc', 5n, { authority: 'payer' });
    const own = pair()
      .account('savings', { owner: 'payer', amount: 0n })
      .send('payer usdc', 'savings', 5n, { authority: 'payer' });
    expect([codeOf(read(same)), codeOf(read(own))]).toEqual(['not_a_payment', 'not_a_payment']);
  });

  it('is a transfer of nothing', () => {
    expect(codeOf(read(paid(0n)))).toBe('not_a_payment');
  });

  it('is a mint, a burn, or a payment beside one of the same token', () => {
    expect(codeOf(read(pair().mintTo('seller usdc', 5n)))).toBe('not_a_payment');
    expect(codeOf(read(pair().burn('payer usdc', 5n, 'payer')))).toBe('not_a_payment');
    expect(codeOf(read(paid().mintTo('seller usdc', 5n).burn('payer usdc', 5n, 'payer')))).toBe(
      'not_a_payment',
    );
  });

  it('is an NFT, but not one unit of a token that has more', () => {
    const nft = (amount: bigint) =>
      new MadeTransaction({ feePayer: 'payer' })
        .mint('item', { decimals: 0 })
        .account('from', { mint: 'item', owner: 'payer', amount })
        .account('to', { mint: 'item', owner: 'seller', amount: 0n })
        .send('from', 'to', 1n, { authority: 'payer' });
    expect([codeOf(read(nft(1n))), codeOf(read(nft(2n)))]).toEqual(['not_a_payment', 'ok']);
  });

  it('is an account handed to another owner with its tokens', () => {
    expect(codeOf(read(pair().handOver('payer usdc', 'payer', 'seller')))).toBe('not_a_payment');
  });

  it('is a change of balances that no instruction shows', () => {
    const tx = pair().send('payer usdc', 'seller usdc', 5n, { authority: 'payer', shown: false });
    expect(codeOf(read(tx))).toBe('not_a_payment');
    const raw = { inner: null } as const;
    expect(codeOf(read(tx, raw))).toBe('unreadable_transaction');
  });

  it('is a payment to a program account for newly minted shares, or for another token', () => {
    const base = () =>
      new MadeTransaction({ feePayer: 'payer' })
        .account('payer usdc', { owner: 'payer', amount: 10_000_000n })
        .account('vault usdc', { owner: 'pda vault', amount: 0n })
        .account('share', { mint: 'shares', owner: 'payer', amount: 0n })
        .send('payer usdc', 'vault usdc', 2_500_000n, { authority: 'payer' });
    const bought = base()
      .account('stock', { mint: 'shares', owner: 'pda vault', amount: 50n })
      .send('stock', 'share', 5n, { authority: 'pda vault' });
    expect(codeOf(read(base().mintTo('share', 5n)))).toBe('not_a_payment');
    expect(codeOf(read(bought))).toBe('not_a_payment');
  });
});
