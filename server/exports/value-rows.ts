import { assetOf } from '@quittance/verify/chain/programs';
import type { Fraction } from '@quittance/verify/money';
import type { LocalColumns } from '@quittance/verify/receipts/transfer-row';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { dayOf } from '@/server/clock';
import { ServiceError } from '@/server/errors';
import { requireCountry } from '@/server/rates/countries';
import { priceToken, type RatesContext } from '@/server/rates/find-rate';
import { localAmount, type LocalRate, type NoRate, ratesForDays } from '@/server/rates/local-rate';
import type { ValuedRow } from './unpack-receipt';

/**
 * Values rows in the currency of a country, by the rate of each day. Keeps the rates it was given, so
 * that one export asks for a day once and values it by one rate.
 */
export function rowValuer(ctx: RatesContext, countryCode: string) {
  const country = requireCountry(countryCode);
  const { currency, minorUnits } = country;
  const known: Awaited<ReturnType<typeof ratesForDays>> = new Map();
  const prices = pricesForDays(ctx);

  /** Fetches the available rates and prices of these rows. Returns their days. */
  const fetchDays = async (rows: readonly PricedRow[]): Promise<string[]> => {
    const days = [...new Set(rows.map(({ blockTime }) => dayOf(blockTime)))];
    const unknown = days.filter((day) => !known.has(day));
    if (unknown.length > 0)
      for (const [day, rate] of await ratesForDays({ ctx, country: country.code, days: unknown }))
        known.set(day, rate);
    await prices.fetch(rows);
    return days;
  };

  return {
    /** Fetches the available rates and prices of these rows. */
    async prepare(rows: readonly PricedRow[]): Promise<void> {
      await fetchDays(rows);
    },

    /**
     * As `prepare`, for a file: throws `rates_unavailable` while a source is down, because a file that is
     * booked must not lack amounts. A day that no source covers stays without one.
     */
    async prepareAll(rows: readonly PricedRow[]): Promise<void> {
      const days = await fetchDays(rows);
      const away = days.find((day) => isDown(known.get(day)));
      if (away !== undefined) throw ratesAway(`The ${currency} rate for ${away}`);
      if (prices.isDown()) throw ratesAway('A token price');
    },

    /** The exact price of a token that is not at par on the day of a row, if it was available. */
    priceOf(row: Pick<PricedRow, 'mint' | 'blockTime'>): Fraction | null {
      return prices.of(row.mint, dayOf(row.blockTime));
    },

    /** The value of a row, or why its day has no rate. */
    localOf(row: ValuedRow, time: Date): LocalColumns {
      const day = dayOf(time);
      const { usdMicros } = row;
      if (usdMicros === null)
        return { currency, minorUnits, value: { error: 'the token has no value' } };
      const rate = known.get(day) ?? { error: 'it was not asked for' };
      if ('error' in rate) return { currency, minorUnits, value: { error: rate.error } };
      const { rateDate, rateSource, provisional } = rate;
      const usdPerUnit = row.valuation === 'par' ? null : prices.of(row.mint, day);
      const valueOf = (part: { amountRaw: bigint; usdMicros: bigint }) => {
        const { decimals, valuation } = row;
        return localAmount(rate, {
          ...part,
          decimals,
          valuation,
          ...(usdPerUnit && { usdPerUnit }),
        });
      };
      const got = { ...row, usdMicros };
      const minor = valueOf(got);
      const sentMinor = row.feeWithheldRaw === 0n ? minor : valueOf(sentPart(got));
      return {
        currency,
        minorUnits,
        value: { minor, sentMinor, rate: rate.rate, rateDate, rateSource, provisional },
      };
    },
  };
}

/** The amount sent, at the dollar value per unit that the amount received has on record. */
function sentPart(row: ValuedRow & { usdMicros: bigint }): {
  amountRaw: bigint;
  usdMicros: bigint;
} {
  const { amountRaw, amountSentRaw, usdMicros } = row;
  const scaled = (2n * usdMicros * amountSentRaw + amountRaw) / (2n * amountRaw);
  return { amountRaw: amountSentRaw, usdMicros: scaled };
}

function isDown(rate: LocalRate | NoRate | undefined): boolean {
  return rate !== undefined && 'error' in rate && rate.isDown === true;
}

function ratesAway(what: string): ServiceError {
  return new ServiceError(
    'rates_unavailable',
    `${what} is not available, because its source did not answer. Send the same request again later.`,
    { retryAfterS: 30 },
  );
}

/** The basis of the price of a row. */
export type PricedRow = { blockTime: Date; mint: string | null; valuation: string };

/**
 * Exact prices of tokens that are not at par, by day. A receipt keeps its dollar value rounded, and
 * that would give another local amount than `/calculate` does. An unavailable price is left out.
 */
function pricesForDays(ctx: RatesContext): {
  fetch(rows: readonly PricedRow[]): Promise<void>;
  of(mint: string | null, day: string): Fraction | null;
  /** Whether a source did not answer: a missing price may be available later. */
  isDown(): boolean;
} {
  const known = new Map<string, Fraction | null>();
  const keyOf = (mint: string | null, day: string) => `${assetOf(mint) ?? ''} ${day}`;
  let isDown = false;

  const priceOf = async (mint: string | null, day: string): Promise<Fraction | null> => {
    const token = tokenByMint(mint, ctx.env.network);
    if (!token || isDown) return null;
    try {
      return (await priceToken(ctx, { token, day }))?.usdPerUnit ?? null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      isDown ||= error.code === 'rates_unavailable';
      return null;
    }
  };
  return {
    fetch: async (rows) => {
      for (const { blockTime, mint, valuation } of rows) {
        if (valuation === 'par') continue;
        const day = dayOf(blockTime);
        const key = keyOf(mint, day);
        if (!known.has(key)) known.set(key, await priceOf(mint, day));
      }
    },
    of: (mint, day) => known.get(keyOf(mint, day)) ?? null,
    isDown: () => isDown,
  };
}
