import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact } from './fetch-exact';
import { convert, fractionOf, over, toDecimalText } from '@quittance/verify/money';

describe('an exact ratio', () => {
  it.each([
    ['1.1787', 11_787n, 10_000n],
    ['0.00000008', 8n, 100_000_000n],
    ['8e-8', 8n, 100_000_000n],
    ['1.5E+3', 1_500n, 1n],
    ['26000', 26_000n, 1n],
  ])('is read from %s digit by digit', (text, num, den) => {
    const read = fractionOf(text);
    expect(read && read.num * den).toBe(read && num * read.den);
  });

  it.each(['0', '0.00', '-1', '', 'NaN', '1.', '.5', '1e400', 'Infinity', '0x10'])(
    'is none in %j',
    (text) => {
      expect(fractionOf(text)).toBeNull();
    },
  );

  it.each([
    [{ num: 10_000n, den: 11_787n }, '0.848392296598'],
    [{ num: 1n, den: 3n }, '0.333333333333'],
    [{ num: 1n, den: 30_000n }, '0.0000333333333333'],
    [{ num: 123_456_789_012_345n, den: 1n }, '123456789012345'],
    [{ num: 999_999_999_999_9n, den: 10_000_000_000_000n }, '1'],
    [{ num: 3n, den: 1n }, '3'],
    [{ num: 36_725n, den: 10_000n }, '3.6725'],
  ])('is shown with twelve digits: %o', (ratio, text) => {
    expect(toDecimalText(ratio)).toBe(text);
  });

  it('turns an amount into another within half a unit, exactly half upwards', () => {
    const half = { num: 1n, den: 2n };
    expect(convert({ amount: 1n, decimals: 0, price: half, toDecimals: 0 })).toBe(1n);
    expect(convert({ amount: 49n, decimals: 2, price: { num: 1n, den: 1n }, toDecimals: 0 })).toBe(
      0n,
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n }),
        fc.bigInt({ min: 1n, max: 10n ** 14n }),
        fc.bigInt({ min: 1n, max: 10n ** 14n }),
        fc.nat({ max: 12 }),
        fc.nat({ max: 6 }),
        (amount, num, den, decimals, toDecimals) => {
          const result = convert({ amount, decimals, price: { num, den }, toDecimals });
          const exact = {
            num: amount * num * 10n ** BigInt(toDecimals),
            den: den * 10n ** BigInt(decimals),
          };
          const twice = 2n * (result * exact.den - exact.num);
          expect(twice <= exact.den && twice > -exact.den).toBe(true);
        },
      ),
    );
    expect(over({ num: 1n, den: 2n }, { num: 3n, den: 4n })).toEqual({ num: 4n, den: 6n });
  });
});

describe('exact JSON', () => {
  it('keeps every number as it was written, and nothing else changes', () => {
    const text =
      '{"a 1.50":[1.10,-2e-8,0.1000000000000000055],"b":"3.0 \\" 4","c":{"d":null,"e":true}}';
    expect(parseExact(text)).toEqual({
      'a 1.50': ['1.10', '-2e-8', '0.1000000000000000055'],
      b: '3.0 " 4',
      c: { d: null, e: true },
    });
    expect(() => parseExact('{"a":01}')).toThrow(SyntaxError);
    expect(() => parseExact('<html>')).toThrow(SyntaxError);
  });
});
