import { describe, expect, it } from 'vitest';
import { priceReceipt } from './prices';

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
