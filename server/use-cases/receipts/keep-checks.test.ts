import { expect, test } from 'vitest';
import type { CheckBody } from '../web-schemas';
import { keepChecks } from './keep-checks';

const body = (o: Partial<CheckBody>): CheckBody => ({
  state: 'checked',
  checked_at: '2026-11-30T12:00:00.000Z',
  verdict: 'genuine',
  lines: [],
  since_mint: null,
  partial: null,
  ...o,
});
const OPEN = body({ verdict: 'could not be checked' });

/** Counts how often a check that ends with this is made, by a clock that is set by hand. */
function counting(result: CheckBody | Error) {
  const seen = { made: 0, nowMs: 0 };
  const keep = keepChecks(() => seen.nowMs);
  const check = () =>
    keep('receipt', () => {
      seen.made += 1;
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    });
  return { seen, check };
}

test('a check that is decided is kept for 30 seconds', async () => {
  const { seen, check } = counting(body({}));
  await check();
  seen.nowMs = 29_999;
  await check();
  expect(seen.made).toBe(1);
  seen.nowMs = 30_000;
  await check();
  expect(seen.made).toBe(2);
});

test('an undecided check is made again at the next press, and shared while it is being made', async () => {
  const { seen, check } = counting(OPEN);
  await Promise.all([check(), check()]);
  expect(seen.made).toBe(1);
  await check();
  expect(seen.made).toBe(2);
});

test('a statement that is too long to look up whole is kept as well', async () => {
  const { seen, check } = counting({ ...OPEN, partial: { checked: 100, of: 250 } });
  await check();
  await check();
  expect(seen.made).toBe(1);
});

test('a check without an answer is not kept', async () => {
  const { seen, check } = counting(new Error('no answer'));
  await expect(check()).rejects.toThrow('no answer');
  await expect(check()).rejects.toThrow('no answer');
  expect(seen.made).toBe(2);
});
