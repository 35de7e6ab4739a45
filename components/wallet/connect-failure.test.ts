import { expect, test } from 'vitest';
import { connectFailure } from './connect-failure';
import { isRejection } from './signer';

// As `@solana-mobile/wallet-standard-mobile` and `mobile-wallet-adapter-protocol` word them.
test.each([
  ['Local Network Access permission denied', 'noLocal'],
  ['Local Network Access permission unknown', 'noLocal'],
  ['Found no installed wallet that supports the mobile wallet protocol.', 'noApp'],
  ['Wallet connection cancelled by user', 'rejected'],
  ['User rejected the request.', 'rejected'],
  ['authorization request declined', 'rejected'],
  ['The wallet session dropped unexpectedly (1006: closed).', 'said'],
  ['Wallet connection timed out', 'said'],
  ['', 'failed'],
])('an error that says “%s” is the failure %s', (message, why) => {
  const said = why === 'said' ? { said: message } : {};
  expect(connectFailure('app', new Error(message))).toEqual({ why, wallet: 'app', ...said });
});

test('a lost session is no “no”: the app may have sent the payment', () => {
  const lost = new Error('The wallet session dropped unexpectedly (1006: connection closed).');
  expect(isRejection(lost)).toBe(false);
  expect(isRejection(new Error('User rejected the request.'))).toBe(true);
});
