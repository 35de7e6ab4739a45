import { describe, expect, it } from 'vitest';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import { convert, type Fraction } from '@quittance/verify/money';
import type { ReceiptLeg } from '@quittance/verify/receipts/receipt-beside';
import { legRows } from './leg-rows';
import { ROWS } from './rows.fixture';

const [base] = ROWS;
if (!base) throw new Error('the fixture has a row');
const WALLET = base.payer;
const USDC = base.mint;
const at = (amount: bigint, price: Fraction) =>
  convert({ amount, decimals: 9, price, toDecimals: 6 });

/** The dollar value of one further leg of a receipt. */
const valueOf = (o: {
  mint: string | null;
  amountRaw: bigint;
  usdMicros: bigint;
  leg: Omit<ReceiptLeg, 'owner'>;
  frozen?: { mint: string | null; usd: string };
  dayPrice?: Fraction;
}) => {
  const { mint, amountRaw, usdMicros, frozen } = o;
  const decimals = mint === USDC ? 6 : 9;
  const rows = legRows({
    row: { ...base, mint, decimals, amountRaw, usdMicros },
    legs: [{ owner: 'fees', ...o.leg }],
    prices: frozen
      ? [{ mint: frozen.mint, usd_per_unit: frozen.usd, basis: 'market', source: 'a test' }]
      : [],
    priceOf: () => o.dayPrice ?? null,
    wallet: WALLET,
    network: 'mainnet',
  });
  return rows[0]?.usdMicros;
};

describe('the value of a further leg', () => {
  const wrapped = (amount: bigint) => ({ mint: WRAPPED_SOL, decimals: 9, amount });

  it('in wrapped SOL beside another token is by the price frozen for SOL', () => {
    const paid = { mint: USDC, amountRaw: 95_000_000n, usdMicros: 95_000_000n };
    const frozen = { mint: null, usd: '150' };
    expect(valueOf({ ...paid, leg: wrapped(20_000_000n), frozen })).toBe(3_000_000n);
    expect(valueOf({ ...paid, leg: wrapped(20_000_000n) })).toBeNull();
  });

  it('in wrapped SOL beside native SOL, or the other way, is that of the receipt per unit', () => {
    const paid = { amountRaw: 10_000_000_000n, usdMicros: 1_500_000_000n };
    expect(valueOf({ ...paid, mint: null, leg: wrapped(500_000_000n) })).toBe(75_000_000n);
    const native = { mint: null, decimals: 9, amount: 500_000_000n };
    expect(valueOf({ ...paid, mint: WRAPPED_SOL, leg: native })).toBe(75_000_000n);
  });

  it('is rounded once where the exact price is known that gives the value of the receipt', () => {
    const price = { num: 15_237n, den: 100n };
    const amountRaw = 1_000_000_007n;
    const paid = { mint: null, amountRaw, usdMicros: at(amountRaw, price) };
    const amount = 180_372_196n;
    const once = 27_483_312n;
    expect(at(amount, price)).toBe(once);
    expect(valueOf({ ...paid, leg: { amount }, dayPrice: price })).toBe(once);
    expect(valueOf({ ...paid, leg: wrapped(amount), dayPrice: price })).toBe(once);
    const frozen = { mint: null, usd: '152.37' };
    expect(valueOf({ ...paid, leg: { amount }, frozen })).toBe(once);
  });

  it('goes by the receipt where the price of the day is no longer the one it was priced at', () => {
    const paid = { mint: null, amountRaw: 2_000_000_000n, usdMicros: 300_000_000n };
    const leg = { amount: 1_000_000_000n };
    expect(valueOf({ ...paid, leg, dayPrice: { num: 160n, den: 1n } })).toBe(150_000_000n);
  });
});
