import { describe, expect, it } from 'vitest';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import {
  FEE,
  MadeTransaction,
  named,
  RENT,
  SOL,
  USDC,
} from '../../tests/harness/chain/made-transaction';
import { codeOf, readMade as read, transferOf } from '../../tests/harness/chain/read-made';

/** Payer with 10 USDC, seller with 1. */
const pair = (o: { feePayer?: string; signers?: string[] } = {}): MadeTransaction =>
  new MadeTransaction({ feePayer: o.feePayer ?? 'payer', signers: o.signers })
    .account('payer usdc', { owner: 'payer', amount: 10_000_000n })
    .account('seller usdc', { owner: 'seller', amount: 1_000_000n });

const paid = (amount = 2_500_000n, o: { feePayer?: string; signers?: string[] } = {}) =>
  pair(o).send('payer usdc', 'seller usdc', amount, { authority: 'payer' });

describe('SOL beside a token', () => {
  it('returned by instruction, in any amount, makes it a swap', () => {
    expect(codeOf(read(paid().wallet('seller', SOL).sendSol('seller', 'payer', 1n)))).toBe(
      'not_a_payment',
    );
  });

  it('returned by a bare lamport change, which no instruction shows, makes it a swap', () => {
    const curve = () =>
      paid()
        .wallet('curve', 40n * SOL)
        .wallet('seller', SOL);
    expect(codeOf(read(curve().moveLamports('curve', 'payer', 37n * SOL)))).toBe('not_a_payment');
    expect(codeOf(read(curve().moveLamports('seller', 'curve', SOL)))).toBe('not_a_payment');
  });

  it('given to the payer by a third party makes it a swap', () => {
    const tx = paid(1n, { signers: ['market'] }).sendSol('market', 'payer', 1n);
    expect(codeOf(read(tx))).toBe('not_a_payment');
  });

  it('given by the seller to a third party makes it a swap', () => {
    const tx = paid(1n, { signers: ['seller'] }).sendSol('seller', 'market', 1n);
    expect(codeOf(read(tx))).toBe('not_a_payment');
  });

  it('that the seller spends on the network and on a tip does not make it a swap', () => {
    const tip = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5';
    const tx = paid(1n, { feePayer: 'seller', signers: ['payer'] }).sendSol('seller', tip, 2_500n);
    expect(codeOf(read(tx))).toBe('ok');
  });

  it('hidden behind rent that the payer paid for others is still seen', () => {
    const tx = paid()
      .wallet('curve', SOL)
      .open('other usdc', { owner: 'other', payer: 'payer' })
      .moveLamports('curve', 'payer', RENT / 2n);
    expect(codeOf(read(tx))).toBe('not_a_payment');
  });

  it('added to an account that is closed to the payer is seen', () => {
    const tx = paid()
      .wallet('seller', 5n * SOL)
      .account('purse', { mint: WRAPPED_SOL, owner: 'seller', amount: SOL })
      .close('purse', 'payer', 'seller');
    expect(codeOf(read(tx))).toBe('not_a_payment');
  });

  it('handed over inside a wrapped SOL account is seen', () => {
    const tx = paid()
      .account('purse', { mint: WRAPPED_SOL, owner: 'seller', amount: SOL })
      .handOver('purse', 'seller', 'payer');
    expect(codeOf(read(tx))).toBe('not_a_payment');
  });

  it('paid to the seller as well is a leg beside the transfer', () => {
    expect(transferOf(read(paid().sendSol('payer', 'seller', 1_000n)))).toMatchObject({
      mint: USDC,
      amount: 2_500_000n,
      otherLegs: [{ owner: named('seller'), mint: null, amount: 1_000n }],
      prices: [
        { mint: null, source: 'test' },
        { mint: USDC, basis: 'par' },
      ],
    });
  });

  it('wrapped and given by a third to a fourth is that of another payer', () => {
    const tx = paid()
      .account('a', { mint: WRAPPED_SOL, owner: 'third', amount: 10n })
      .account('b', { mint: WRAPPED_SOL, owner: 'fourth', amount: 0n })
      .send('a', 'b', 10n, { authority: 'third' });
    expect(codeOf(read(tx))).toBe('several_payers');
  });

  it('that is worth more is the transfer, and the token is the other leg', () => {
    const tx = pair()
      .sendSol('payer', 'shop', 10n * SOL - 5n * FEE)
      .send('payer usdc', 'seller usdc', 500_000n, { authority: 'payer' });
    expect(transferOf(read(tx))).toMatchObject({
      seller: named('shop'),
      mint: null,
      otherLegs: [{ owner: named('seller'), mint: USDC, amount: 500_000n }],
    });
  });

  it('that is rent of an emptied order account going to the seller does not make it a swap', () => {
    const tx = new MadeTransaction({ feePayer: 'seller' })
      .account('order usdc', { owner: 'order', amount: 10n })
      .account('seller usdc', { owner: 'seller', amount: 0n })
      .wallet('order', 3_083_282n)
      .send('order usdc', 'seller usdc', 10n, { authority: 'order', by: 'orders' })
      .close('order usdc', 'seller', 'order', 'orders')
      .moveLamports('order', 'seller', 3_083_282n);
    expect(transferOf(read(tx)).payer).toBe(named('order'));
  });
});
