import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadChange, saveChange } from './change';
import type { Acct } from './emulator';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const account = (length: number): fc.Arbitrary<Acct> =>
  fc.record({
    lamports: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
    owner: fc.constantFrom('11111111111111111111111111111111', 'owner'),
    data: bytes(length),
    executable: fc.constant(false),
  });

test('a saved change restores the same account', () => {
  const sizes = fc.constantFrom(0, 165, 600, 2_000);
  const pair = sizes.chain((a) => sizes.chain((b) => fc.tuple(account(a), account(b))));
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const saved = saveChange({ address: 'a', before, after });
      expect(loadChange(JSON.parse(JSON.stringify(saved)), before)).toEqual(after);
    }),
  );
});

test('a small change of a large account is saved as few bytes', () => {
  const places = fc.array(fc.nat(49_999), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(places, fc.integer({ min: 1, max: 255 }), (at, value) => {
      const before = acct(new Uint8Array(50_000));
      const data = before.data.slice();
      for (const i of at) data[i] = value;
      const saved = saveChange({ address: 'a', before, after: acct(data) });
      expect(JSON.stringify(saved).length).toBeLessThan(3_000);
      expect(Buffer.compare(loadChange(saved, before)?.data ?? Buffer.alloc(0), data)).toBe(0);
    }),
  );
});

test('a removed account is loaded as removed', () => {
  const saved = saveChange({ address: 'a', before: acct(new Uint8Array(3)), after: null });
  expect(loadChange(saved, null)).toBeNull();
});

function acct(data: Uint8Array): Acct {
  return { lamports: 1n, owner: 'owner', data, executable: false };
}
