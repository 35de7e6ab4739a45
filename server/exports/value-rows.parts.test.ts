import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Env } from '@/server/env';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { convert } from '@quittance/verify/money';
import { keepRate, priceToken } from '@/server/rates/find-rate';
import { valueLocally } from '@/server/rates/local-rate';
import { trusted } from '@/server/trusted';
import { rowValuer } from './value-rows';

const DAY = '2026-03-02';
const TIME = new Date(`${DAY}T10:00:00.000Z`);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const kept = { day: DAY, publishedOn: DAY, source: 'kept', final: true, fetchedAt: TIME };
  await keepRate(database.prisma, {
    ...kept,
    quote: 'SOL',
    base: 'SOL',
    rate: '1',
    usdRate: '173.123457',
  });
  await keepRate(database.prisma, {
    ...kept,
    quote: 'PLN',
    base: 'USD',
    rate: '3.917',
    usdRate: '1',
  });
});
afterAll(() => database.close());

const context = () => ({
  db: database.prisma,
  env: trusted<Env>({ network: 'local' }, 'every rate is kept, so that no source is asked'),
  clock: { now: () => new Date('2026-04-01T00:00:00.000Z') },
});

describe('the local value of a row', () => {
  it('of a token at a market price equals that of /calculate, to the last minor unit', async () => {
    const ctx = context();
    const token = tokenByMint(null, 'local');
    const price = token && (await priceToken(ctx, { token, day: DAY }));
    if (!price) throw new Error('SOL has a price');
    const { usdPerUnit } = price;
    let different = 0;
    const valuer = rowValuer(ctx, 'PL');
    await valuer.prepare([{ blockTime: TIME, mint: null, valuation: 'market' }]);
    for (let amountRaw = 1_000_000n; amountRaw < 1_040_000n; amountRaw += 37n) {
      const amount = { amountRaw, decimals: 9, valuation: 'market' };
      const usdMicros = convert({
        amount: amountRaw,
        decimals: 9,
        price: usdPerUnit,
        toDecimals: 6,
      });
      const o = { ctx, country: 'PL', day: DAY, usdMicros };
      const { localMinor } = await valueLocally({ ...o, token: { ...amount, usdPerUnit } });
      const { localMinor: throughDollars } = await valueLocally({ ...o, token: amount });
      if (localMinor === throughDollars) continue;
      different += 1;
      const sent = { amountSentRaw: amountRaw, feeWithheldRaw: 0n };
      const { value } = valuer.localOf({ ...amount, ...sent, mint: null, usdMicros }, TIME);
      expect(value).toMatchObject({ minor: localMinor });
    }
    expect(different).toBeGreaterThan(0);
  });

  it('of a payer includes the fee that the token withheld', async () => {
    const valuer = rowValuer(context(), 'PL');
    await valuer.prepare([{ blockTime: TIME, mint: 'any', valuation: 'par' }]);
    const { value } = valuer.localOf(
      {
        amountRaw: 96_000_000n,
        amountSentRaw: 100_000_000n,
        feeWithheldRaw: 4_000_000n,
        decimals: 6,
        mint: 'any',
        valuation: 'par',
        usdMicros: 96_000_000n,
      },
      TIME,
    );
    expect(value).toMatchObject({ minor: 37_603n, sentMinor: 39_170n });
  });
});
