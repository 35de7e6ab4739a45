import { expect, test } from 'vitest';
import { createTranslator } from 'next-intl';
import order from '@/messages/en/order.json';
import { WalletSilent } from '../wallet/wallet-wait';
import { valuesOf } from './failure-banner';
import { REJECTED_PAYMENT, walletFailure, type Failure } from './failures';

const t = createTranslator({ locale: 'en', messages: { order }, namespace: 'order' });
/** A failure as English readers see it. */
function english(failure: Failure): { title: string; text: string } {
  const values = { ...valuesOf(failure, 'en'), said: (words: string) => words };
  return {
    title: t(`failure.${failure.words}.title`),
    text: t.markup(`failure.${failure.words}.text`, values),
  };
}

test('a wallet that sends by itself may still send, so nobody is told that no money moved', () => {
  for (const reason of ['stopped', 'timed_out'] as const) {
    const failure = (maySend: boolean) =>
      walletFailure(new WalletSilent(reason), { rejected: REJECTED_PAYMENT, maySend });
    expect(english(failure(true)).text).not.toContain('No money moved');
    expect(english(failure(true)).text).toContain('not charge you twice');
    expect(english(failure(false)).text).toContain('No money moved');
    // A silent wallet said nothing, so the next order must not pass it on as a "no".
    expect(failure(true).code).not.toBe(REJECTED_PAYMENT.code);
  }
});

test('a wallet that sends by itself and then fails may have sent', () => {
  const failure = (maySend: boolean) =>
    walletFailure(new Error('Timed out'), { rejected: REJECTED_PAYMENT, maySend });
  expect(english(failure(true)).title).toBe('The wallet did not confirm the payment');
  expect(english(failure(true)).text).not.toContain('No money moved');
  expect(english(failure(true)).text).toContain('not charge you twice');
  expect(english(failure(false)).text).toContain('No money moved');
});

test('the words for a "no" are those of the step, and another error is quoted', () => {
  const o = { rejected: REJECTED_PAYMENT, maySend: false };
  expect(walletFailure(new Error('User rejected the request.'), o)).toBe(REJECTED_PAYMENT);
  expect(english(walletFailure(new Error('Device is locked'), o)).text).toContain(
    '“Device is locked”',
  );
});
