import { describe, expect, it } from 'vitest';
import { TOKEN } from '@quittance/verify/chain/programs';
import { MadeTransaction, named } from '../../tests/harness/chain/made-transaction';
import { readMade as read } from '../../tests/harness/chain/read-made';

describe('owners that the node did not write down', () => {
  const old = () =>
    new MadeTransaction({ feePayer: 'payer' })
      .account('from', { owner: null, amount: 10n })
      .account('to', { owner: null, amount: 0n });

  it('stay unknown: the authority may be a delegate', () => {
    const reading = read(old().send('from', 'to', 5n, { authority: 'payer' }));
    expect(reading).toMatchObject({ ok: false, code: 'owner_unknown' });
  });

  it('stay unknown when only one side is proved', () => {
    const tx = old()
      .add(TOKEN, ['from', 'delegate', 'payer'], [4, 5n])
      .send('from', 'to', 5n, { authority: 'payer' });
    expect(read(tx)).toMatchObject({ ok: false, code: 'owner_unknown' });
  });

  it('are proved by an approval, which only an owner gives, and by the opening of the account', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .account('from', { owner: null, amount: 10n })
      .add(TOKEN, ['from', 'delegate', 'payer'], [4, 5n])
      .open('to', { owner: 'seller', payer: 'payer', silent: true })
      .send('from', 'to', 5n, { authority: 'payer' });
    expect(read(tx)).toMatchObject({
      ok: true,
      transfer: { payer: named('payer'), seller: named('seller'), amount: 5n },
    });
  });

  it('are those at the end when an account is handed over after it was opened', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .account('from', { owner: 'payer', amount: 10n })
      .open('to', { owner: 'first owner', payer: 'payer', silent: true })
      .send('from', 'to', 5n, { authority: 'payer' })
      .handOver('to', 'first owner', 'last owner');
    // The tokens went to the first owner's account; nothing shows a payment to the last one.
    const reading = read(tx);
    expect(reading).toMatchObject({ ok: false, code: 'not_a_payment' });
    expect(!reading.ok && reading.detail).toContain('without a transfer');
  });
});

describe('owners that the node wrote down', () => {
  it('count, not the wallet an address was derived for', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' })
      .account('from', { owner: 'payer', amount: 10n })
      .account('address derived for bob', { owner: 'carol', amount: 0n })
      .send('from', 'address derived for bob', 5n, { authority: 'payer' });
    expect(read(tx)).toMatchObject({ ok: true, transfer: { seller: named('carol') } });
  });
});
