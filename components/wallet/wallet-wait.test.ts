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

test('the wait for a silent wallet ends when the reader stops it or the time is up', async () => {
  const { seen, onWaiting } = reported();
  const stopped = waitForWallet(never, { wallet: 'Phantom', onWaiting });
  seen[0]?.stop();
  await expect(stopped).rejects.toMatchObject({ reason: 'stopped' });
  const late = waitForWallet(never, { wallet: 'Phantom', onWaiting, limitMs: 5 });
  await expect(late).rejects.toBeInstanceOf(WalletSilent);
  await expect(late).rejects.toMatchObject({ reason: 'timed_out' });
  expect(seen.at(-1)).toBeNull();
});

test('a wallet that a press has to open is asked at the press, and not before', async () => {
  const { seen, onWaiting } = reported();
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return 'signed';
  };
  const o = { wallet: 'app', onWaiting, needsPress: true };
  const answer = waitForWallet(ask, o);
  await Promise.resolve();
  expect(asked).toBe(0);
  seen[0]?.open?.();
  expect(await answer).toBe('signed');
  expect(asked).toBe(1);
  // The press took its own button away.
  expect(seen.map((waiting) => waiting && typeof waiting.open)).toEqual([
    'function',
    null,
    'object',
    null,
  ]);
  const stopped = waitForWallet(ask, o);
  seen.at(-1)?.stop();
  await expect(stopped).rejects.toMatchObject({ reason: 'stopped' });
  expect([asked, seen.at(-1)]).toEqual([1, null]);
});

test('the end of an older wait leaves the newer one in place', () => {
  let shown: Waiting | null = null;
  const show = showNewest((next) => (shown = next(shown)));
  const [older, newer] = [
    { wallet: 'Phantom', stop: () => undefined, open: null },
    { wallet: 'Solflare', stop: () => undefined, open: null },
  ];
  const [endOlder, endNewer] = [show(older), show(newer)];
  endOlder();
  expect(shown).toBe(newer);
  endNewer();
  expect(shown).toBeNull();
});
