import { expect, test } from 'vitest';
import { createTranslator } from 'next-intl';
import order from '@/messages/en/order.json';
import { AnotherAccount } from '../wallet/signer';
import { WalletSilent } from '../wallet/wallet-wait';
import { valuesOf } from './failure-banner';
import { NO_ANSWER_IN_TIME } from '../api-client';
import { REJECTED_PAYMENT, refused, walletFailure } from './failures';
import type { Failure } from './order-failed';

const t = createTranslator({ locale: 'en', messages: { order }, namespace: 'order' });
/** A failure as English readers see it. */
function english(failure: Failure): { title: string; text: string } {
  const values = { ...valuesOf(failure, 'en'), said: (words: string) => words };
  return {
    title: t(`failure.${failure.words}.title`),
    text: t.markup(`failure.${failure.words}.text`, values),
  };
}

test('a wallet that sends the payment itself may still send it, so the text never says that no money moved', () => {
  for (const reason of ['stopped', 'timed_out'] as const) {
    const failure = (maySend: boolean) =>
      walletFailure(new WalletSilent(reason), { rejected: REJECTED_PAYMENT, maySend });
    expect(english(failure(true)).text).not.toContain('No money moved');
    expect(english(failure(true)).text).toContain('not charge you twice');
    expect(english(failure(false)).text).toContain('No money moved');
    // A wallet that gave no answer did not refuse, so the next order must not report a "no".
    expect(failure(true).code).not.toBe(REJECTED_PAYMENT.code);
  }
});

test('a wallet that sends the payment itself and then fails may have sent it', () => {
  const failure = (maySend: boolean) =>
    walletFailure(new Error('Timed out'), { rejected: REJECTED_PAYMENT, maySend });
  expect(english(failure(true)).title).toBe('The wallet did not confirm the payment');
  expect(english(failure(true)).text).not.toContain('No money moved');
  expect(english(failure(true)).text).toContain('not charge you twice');
  expect(english(failure(false)).text).toContain('No money moved');
});

test('a switch of the account is explained in words of the page, with the way to another wallet', () => {
  const failure = walletFailure(new AnotherAccount(), {
    rejected: REJECTED_PAYMENT,
    maySend: true,
  });
  expect(failure.way).toBe('other_wallet');
  expect(failure.said).toBeUndefined();
  expect(english(failure).title).toBe('The wallet is on another account now');
  expect(english(failure).text).toContain('Nothing was signed. No money moved.');
});

test('a "no" of the wallet gets the words of the step, and another error is quoted', () => {
  const o = { rejected: REJECTED_PAYMENT, maySend: false };
  expect(walletFailure(new Error('User rejected the request.'), o)).toBe(REJECTED_PAYMENT);
  expect(english(walletFailure(new Error('Device is locked'), o)).text).toContain(
    '“Device is locked”',
  );
});

test('a call that the page gave up may be done, so the text never says that nothing happened', () => {
  const said = { code: 'unreachable', message: '', details: {} };
  const gaveUp = refused({ ...said, status: NO_ANSWER_IN_TIME });
  expect(english(gaveUp).title).toBe('The service did not answer in time');
  expect(english(gaveUp).text).not.toContain('No money moved');
  expect(english(gaveUp).text).toContain('never charges you twice');
  expect(english(refused({ ...said, status: 0 })).text).toContain('No money moved');
});
