import { describe, expect, it } from 'vitest';
import { LARGEST_PRICE_MICROS, PRICE_LIST, priceReceipt, priceStatement } from './prices';

describe('the fee of a receipt', () => {
  it.each([
    ['under one dollar is free', 999_999n, 0n],
    ['exactly one dollar is not under one', 1_000_000n, 100_000n],
    ['the least fee holds to 100 USD', 99_999_999n, 100_000n],
    ['0.1 % from 100 USD', 100_000_000n, 100_000n],
    ['rounds down to a micro-USDC', 250_000_999n, 250_000n],
    ['the most is 5 USDC', 5_000_000_000n, 5_000_000n],
    ['and stays 5 USDC', 123_456_789_000_000n, 5_000_000n],
  ])('%s', (_, usdMicros, fee) => {
    expect(priceReceipt(usdMicros)).toBe(fee);
  });
});

describe('the fee of a statement', () => {
  it.each([
    [1, 1_000_000n],
    [10, 1_000_000n],
    [11, 3_000_000n],
    [50, 3_000_000n],
    [51, 5_000_000n],
    [5_000, 5_000_000n],
  ])('over %i transactions is %s micro-USDC', (count, fee) => {
    expect(priceStatement(count)).toBe(fee);
  });
});

it('the price list spans what the routes ask for, and names the largest price', () => {
  const of = (path: string) => PRICE_LIST.find((route) => route.path === path);
  expect(of('/mint')).toMatchObject({ leastMicros: 100_000n, mostMicros: 5_000_000n });
  expect(of('/statement')).toMatchObject({ leastMicros: 1_000_000n, mostMicros: 5_000_000n });
  expect(LARGEST_PRICE_MICROS).toBe(5_000_000n);
});
