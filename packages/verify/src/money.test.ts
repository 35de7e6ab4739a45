import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromDecimal, rescale, toDecimal, toJsonNumber } from './money';

describe('money', () => {
  it('turns any base units into a decimal and back without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 70n), 2n ** 70n), fc.integer({ min: 0, max: 18 }), (raw, d) => {
        expect(fromDecimal(toDecimal(raw, d), d)).toBe(raw);
      }),
    );
  });

  it('writes plain decimals, never an exponent', () => {
    expect(toDecimal(1n, 18)).toBe('0.000000000000000001');
    expect(toDecimal(750_000n, 6)).toBe('0.75');
    expect(toDecimal(-5n, 0)).toBe('-5');
    expect(toDecimal(10n ** 30n, 0)).toBe(`1${'0'.repeat(30)}`);
  });

  it('refuses text that the unit cannot hold exactly', () => {
    expect(fromDecimal('0.1234567', 6)).toBeNull();
    expect(fromDecimal('0.1234560', 6)).toBe(123_456n);
    for (const text of ['', '.5', '1.', '1e3', '+1', ' 1', '0x1', 'NaN'])
      expect(fromDecimal(text, 6)).toBeNull();
  });

  it('rounds half up, away from zero, when it rescales down', () => {
    expect(rescale(1_500n, 9, 6)).toBe(2n);
    expect(rescale(1_499n, 9, 6)).toBe(1n);
    expect(rescale(-1_500n, 9, 6)).toBe(-2n);
    expect(rescale(7n, 6, 9)).toBe(7_000n);
  });

  it('gives the JSON number nearest to the exact value', () => {
    expect(toJsonNumber(25_000_000n, 6)).toBe(25);
    expect(toJsonNumber(123_456n, 6)).toBe(0.123456);
  });
});
