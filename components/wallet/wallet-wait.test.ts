import { expect, test } from 'vitest';
import { showNewest, waitForWallet, WalletSilent, type Waiting } from './wallet-wait';

const never = () => new Promise<string>(() => undefined);

function reported() {
  const seen: (Waiting | null)[] = [];
  const onWaiting = (waiting: Waiting) => {
    seen.push(waiting);
    return () => void seen.push(null);
  };
  return { seen, onWaiting };
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

test('the end of an older wait leaves the newer one in place', () => {
  let shown: Waiting | null = null;
  const show = showNewest((next) => (shown = next(shown)));
  const [older, newer] = [
    { wallet: 'Phantom', stop: () => undefined },
    { wallet: 'Solflare', stop: () => undefined },
  ];
  const [endOlder, endNewer] = [show(older), show(newer)];
  endOlder();
  expect(shown).toBe(newer);
  endNewer();
  expect(shown).toBeNull();
});
