import { expect, test } from 'vitest';
import { WalletSilent } from '../wallet/wallet-wait';
import { REJECTED_PAYMENT, walletFailure } from './failures';

test('a wallet that sends by itself may still send, so nobody is told that no money moved', () => {
  for (const reason of ['stopped', 'timed_out'] as const) {
    const failure = (maySend: boolean) =>
      walletFailure(new WalletSilent(reason), { rejected: REJECTED_PAYMENT, maySend });
    expect(failure(true).text).not.toContain('No money moved');
    expect(failure(true).text).toContain('not charge you twice');
    expect(failure(false).text).toContain('No money moved');
    // A silent wallet said nothing, so the next order must not pass it on as a "no".
    expect(failure(true).code).not.toBe(REJECTED_PAYMENT.code);
  }
});

test('a wallet that sends by itself and then fails may have sent', () => {
  const failure = (maySend: boolean) =>
    walletFailure(new Error('Timed out'), { rejected: REJECTED_PAYMENT, maySend });
  expect(failure(true).title).toBe('The wallet did not confirm the payment');
  expect(failure(true).text).not.toContain('No money moved');
  expect(failure(true).text).toContain('not charge you twice');
  expect(failure(false).text).toContain('No money moved');
});

test('the words for a "no" are those of the step, and another error is quoted', () => {
  const o = { rejected: REJECTED_PAYMENT, maySend: false };
  expect(walletFailure(new Error('User rejected the request.'), o)).toBe(REJECTED_PAYMENT);
  expect(walletFailure(new Error('Device is locked'), o).text).toContain('“Device is locked”');
});
