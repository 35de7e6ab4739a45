import { describe, expect, it } from 'vitest';
import { SYSTEM, WRAPPED_SOL } from '@quittance/verify/chain/programs';
import { FEE, MadeTransaction, named, RENT, SOL } from '../../tests/harness/chain/made-transaction';
import {
  codeOf as codeOfReading,
  readMade as read,
  readRaw,
} from '../../tests/harness/chain/read-made';

const codeOf = (tx: MadeTransaction): string => codeOfReading(read(tx));
const payer = () => new MadeTransaction({ feePayer: 'payer', lamports: 10n * SOL });

describe('a payment in SOL', () => {
  it('is the lamports sent, without the network fee, also to a wallet that is new', () => {
    expect(read(payer().sendSol('payer', 'seller', 3n * SOL))).toMatchObject({
      ok: true,
      transfer: {
        payer: named('payer'),
        seller: named('seller'),
        mint: null,
        tokenProgram: null,
        decimals: 9,
        amount: 3n * SOL,
        amountSent: 3n * SOL,
      },
    });
  });

  it('may empty the payer', () => {
    expect(codeOf(payer().sendSol('payer', 'seller', 10n * SOL - FEE))).toBe('ok');
  });

  it('carries its reference keys', () => {
    const reading = read(
      payer().sendSol('payer', 'seller', SOL, { extra: ['reference', 'payer'] }),
    );
    expect(reading).toMatchObject({ transfer: { references: [named('reference')] } });
  });

  it('has a dominant receiver or several sellers', () => {
    const split = (a: bigint, b: bigint) =>
      payer().sendSol('payer', 'seller', a).sendSol('payer', 'other', b);
    expect(read(split(80n, 20n))).toMatchObject({
      transfer: { amount: 80n, otherLegs: [{ owner: named('other'), amount: 20n }] },
    });
    expect(codeOf(split(79n, 21n))).toBe('several_sellers');
  });

  it('leaves tips, rent and new accounts aside', () => {
    const tip = 'DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL';
    const tx = payer()
      .open('other usdc', { owner: 'other', payer: 'payer' })
      .sendSol('payer', tip, 9_000n)
      .sendSol('payer', 'seller', 7n);
    expect(read(tx)).toMatchObject({ transfer: { amount: 7n, otherLegs: [] } });
    expect(codeOf(payer().sendSol('payer', tip, 9_000n))).toBe('not_a_payment');
    expect(codeOf(payer().open('x', { owner: 'other', payer: 'payer' }))).toBe('not_a_payment');
  });

  it('is not a payment when lamports go to an account that becomes a program’s', () => {
    const tx = payer()
      .sendSol('payer', 'state', 1_000_000n, { by: 'some program' })
      .add(SYSTEM, ['state'], [8, 0, 0, 0, 100n], 'some program');
    expect(codeOf(tx)).toBe('not_a_payment');
  });

  it('is not a payment when it comes back, by instruction or without', () => {
    const there = () => payer().wallet('seller', SOL).sendSol('payer', 'seller', 50n);
    expect(codeOf(there().sendSol('seller', 'payer', 50n))).toBe('not_a_payment');
    expect(codeOf(there().moveLamports('seller', 'payer', 20n))).toBe('not_a_payment');
    expect(codeOf(payer().sendSol('payer', 'payer', 50n))).toBe('not_a_payment');
  });

  it('is not a payment to a program account when a program that moves NFTs takes part', () => {
    const core = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d';
    const paid = (seller: string) =>
      codeOf(payer().sendSol('payer', seller, SOL).add(core, [], [14]));
    expect(paid('pda market')).toBe('not_a_payment');
    expect(paid('seller')).toBe('ok');
  });

  it('is what a program account gives of its own SOL, which no instruction shows', () => {
    const tx = payer()
      .wallet('pda vault', 5n * SOL)
      .wallet('seller', 0n)
      .moveLamports('pda vault', 'seller', SOL);
    expect(read(tx)).toMatchObject({
      transfer: { payer: named('pda vault'), payerKind: 'program', amount: SOL },
    });
    const raw = tx.raw({ inner: null });
    expect(codeOfReading(readRaw(raw))).toBe('unreadable_transaction');
  });
});

describe('a payment in wrapped SOL', () => {
  it('is named by its mint, because tokens moved', () => {
    const tx = payer()
      .account('from', { mint: WRAPPED_SOL, owner: 'payer', amount: 6n })
      .account('to', { mint: WRAPPED_SOL, owner: 'seller', amount: 0n })
      .send('from', 'to', 6n, { authority: 'payer' });
    expect(read(tx)).toMatchObject({ transfer: { mint: WRAPPED_SOL, amount: 6n, decimals: 9 } });
  });

  it('counts when wrapped on the way', () => {
    const tx = payer()
      .mint(WRAPPED_SOL, { decimals: 9 })
      .open('purse', { mint: WRAPPED_SOL, owner: 'payer', payer: 'payer' })
      .account('to', { mint: WRAPPED_SOL, owner: 'seller', amount: 0n })
      .sendSol('payer', 'purse', SOL)
      .sync('purse', SOL)
      .send('purse', 'to', SOL, { authority: 'payer' })
      .close('purse', 'payer', 'payer');
    expect(read(tx)).toMatchObject({
      transfer: { payer: named('payer'), seller: named('seller'), mint: WRAPPED_SOL, amount: SOL },
    });
  });

  it('counts when unwrapped on the way, in an account that no balance names', () => {
    const tx = new MadeTransaction({ feePayer: 'seller' })
      .account('vault', { mint: WRAPPED_SOL, owner: 'payer', amount: 6n * SOL })
      .open('purse', { mint: WRAPPED_SOL, owner: 'seller', payer: 'seller' })
      .send('vault', 'purse', 6n * SOL, { authority: 'payer', by: 'auction' })
      .close('purse', 'seller', 'seller');
    expect(read(tx)).toMatchObject({
      transfer: { payer: named('payer'), seller: named('seller'), amount: 6n * SOL },
    });
  });

  it('has an unknown owner when nothing proves one', () => {
    const tx = payer()
      .account('vault', { mint: WRAPPED_SOL, owner: null, amount: 6n })
      .account('to', { mint: WRAPPED_SOL, owner: 'seller', amount: 0n })
      .send('vault', 'to', 6n, { authority: 'payer' });
    expect(codeOf(tx)).toBe('owner_unknown');
  });

  it('is not a payment when a wallet only wraps or unwraps for itself', () => {
    const purse = () => payer().account('purse', { mint: WRAPPED_SOL, owner: 'payer', amount: 9n });
    expect(codeOf(purse().sendSol('payer', 'purse', 5n).sync('purse', 5n))).toBe('not_a_payment');
    expect(codeOf(purse().close('purse', 'payer', 'payer'))).toBe('not_a_payment');
  });

  it('is not a payment when it reaches the seller by closing the account to the seller', () => {
    const tx = payer()
      .account('purse', { mint: WRAPPED_SOL, owner: 'payer', amount: RENT })
      .sendSol('payer', 'seller', 5n)
      .close('purse', 'seller', 'payer');
    expect(codeOf(tx)).toBe('not_a_payment');
  });
});
