import { expect, test } from 'vitest';
import { waitForWallet, WalletSilent, type Waiting } from './wallet-wait';

const never = () => new Promise<string>(() => undefined);

function reported() {
  const seen: (Waiting | null)[] = [];
  return { seen, onWaiting: (waiting: Waiting | null) => void seen.push(waiting) };
}

test('an answer ends the wait, and so does an error of the wallet', async () => {
  const { seen, onWaiting } = reported();
  const o = { wallet: 'Phantom', onWaiting };
  expect(await waitForWallet(async () => 'signed', o)).toBe('signed');
  const no = () => Promise.reject(new Error('User rejected'));
  await expect(waitForWallet(no, o)).rejects.toThrow('User rejected');
  expect(seen.map((waiting) => waiting?.wallet ?? null)).toEqual([
    'Phantom',
    null,
    'Phantom',
    null,
  ]);
});

test('a wallet that never answers is waited for until the reader stops or the time is up', async () => {
  const { seen, onWaiting } = reported();
  const stopped = waitForWallet(never, { wallet: 'Phantom', onWaiting });
  seen[0]?.stop();
  await expect(stopped).rejects.toMatchObject({ reason: 'stopped' });
  const late = waitForWallet(never, { wallet: 'Phantom', onWaiting, limitMs: 5 });
  await expect(late).rejects.toBeInstanceOf(WalletSilent);
  await expect(late).rejects.toMatchObject({ reason: 'timed_out' });
  expect(seen.at(-1)).toBeNull();
});
