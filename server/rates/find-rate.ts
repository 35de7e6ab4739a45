import { type Fraction, fractionOf, ONE, over, toDecimalText } from '@quittance/verify/money';
import type { TokenEntry } from '@quittance/verify/tokens/token-table';
import type { Rate } from '@/generated/prisma/client';
import { dayOf, startOf } from '@/server/clock';
import type { ServiceContext } from '@/server/context';
import { databaseNow } from '@/server/db/database-clock';
import type { RateSources } from '@/server/env';
import { ServiceError } from '@/server/errors';
import {
  askBlend,
  askDailyCandles,
  askDatedFiles,
  askEcb,
  FIRST_CANDLE,
  FIRST_DATED_FILE,
  firstDayOfBlend,
} from './ask-sources';
import { type Published, type RateQuestion, SourceDown } from './fetch-exact';

/** Context of a rate look-up. The time comes from the database. */
export type RatesContext = Pick<ServiceContext, 'env' | 'db'>;

export type Source = {
  /** Its name in answers: provider and basis. */
  name: string;
  url: string;
  ask(question: RateQuestion): Promise<Published | null>;
  /** The first day it covers, null if unknown. Left out if another source begins no later. */
  firstDay?(question: RateQuestion): Promise<string | null>;
};

/**
 * The sources of a currency, or of the price of `SOL`, in the order of requests. First the ECB's
 * reference rates, which an accountant can look up. Then the blend of all banks, which holds the
 * ECB's figures too and so begins no later. Then dated files.
 */
function sourcesOf(rates: RateSources, quote: string): Source[] {
  if (quote === 'SOL')
    return [
      {
        name: rates.solName,
        url: rates.solUrl,
        ask: askDailyCandles,
        firstDay: () => Promise.resolve(FIRST_CANDLE),
      },
    ];
  return [
    { name: rates.ecbName, url: rates.url, ask: askEcb },
    { name: rates.name, url: rates.url, ask: askBlend, firstDay: firstDayOfBlend },
    {
      name: rates.datedName,
      url: rates.datedUrl,
      ask: askDatedFiles,
      firstDay: () => Promise.resolve(FIRST_DATED_FILE),
    },
  ];
}

/**
 * The refusal of a day that no source has. It names a first day, the earliest, only if every source
 * is known to begin after the requested day. A day inside the covered time, or next to an unknown
 * begin, is a gap and gets no first day.
 */
async function refuseGap(
  sources: readonly Source[],
  o: { quote: string; day: string; today: string },
): Promise<ServiceError> {
  const { quote, day } = o;
  const firstDays = await Promise.all(
    sources.flatMap((source) => source.firstDay?.({ ...o, url: source.url }) ?? []),
  );
  const begins = firstDays
    .flatMap((first) => (first !== null && first > day ? [first] : []))
    .sort();
  const [firstDay = null] = begins.length === firstDays.length ? begins : [];
  return new ServiceError(
    'rate_not_covered',
    firstDay === null
      ? `No ${quote} rate was published on ${day} or in the 7 days before it.`
      : `There is no ${quote} rate for ${day}: the first day that is covered is ${firstDay}.`,
    { details: { day, quote, first_day: firstDay } },
  );
}

const HOUR_MS = 3_600_000;
/** When a figure becomes final, after the end of its day, if no later publication makes it final. */
const FINAL_AFTER_MS = 48 * HOUR_MS;
/** How long a rate that may still change is used before the source is asked again. */
const REFRESH_MS = 10 * 60_000;

/**
 * The rate of a currency, or the price of `SOL`, on a UTC day. It is the last one published on or
 * before that day, at most seven days back. A final one is looked up once in the service's life.
 * Throws `rates_unavailable` when a source is down and the rate of the very day is not kept, and
 * `rate_not_covered` when there is none.
 */
export async function findRate(
  ctx: RatesContext,
  o: { quote: string; day: string },
): Promise<StoredRate> {
  const kept = (await loadRates(ctx.db, { quote: o.quote, days: [o.day] })).get(o.day) ?? null;
  return settleRate(ctx, { ...o, kept });
}

/** Like {@link findRate}, for a caller that has read the table already. */
export async function settleRate(
  ctx: RatesContext,
  o: { quote: string; day: string; kept: StoredRate | null },
): Promise<StoredRate> {
  const { kept, quote, day } = o;
  if (kept?.isFinal) return kept;
  const now = await databaseNow(ctx.db);
  if (kept && now.getTime() - kept.fetchedAt.getTime() < REFRESH_MS) return kept;
  return once(ctx, `${quote} ${day}`, async () => {
    try {
      const { source, published } = await askSources(ctx, { quote, day, today: dayOf(now) });
      const { finality, ...rate } = published;
      const final = isFinal(finality, { day, now });
      return await keepRate(ctx.db, { ...rate, quote, day, source, final, fetchedAt: now });
    } catch (error) {
      if (!(error instanceof SourceDown)) throw error;
      if (kept?.publishedOn === day) return kept;
      throw new ServiceError(
        'rates_unavailable',
        `The source of the ${quote} rate for ${day} did not answer. Send the same request again later.`,
        { cause: error, retryAfterS: 30 },
      );
    }
  });
}

function isFinal(finality: Published['finality'], o: { day: string; now: Date }): boolean {
  if (finality !== 'for_48_hours') return finality === 'final';
  return o.now.getTime() >= startOf(o.day).getTime() + 24 * HOUR_MS + FINAL_AFTER_MS;
}

/**
 * The first source that has the currency on that day. A source that is down is not skipped: the rate
 * of a day must not depend on which source happened to answer.
 */
async function askSources(
  ctx: RatesContext,
  o: { quote: string; day: string; today: string },
): Promise<{ source: string; published: Published }> {
  const sources = sourcesOf(ctx.env.rates, o.quote);
  for (const source of sources) {
    const published = await source.ask({ ...o, url: source.url });
    if (published) return { source: source.name, published };
  }
  throw await refuseGap(sources, o);
}

const underWay = new WeakMap<object, Map<string, Promise<StoredRate>>>();

/** Simultaneous requests share one look-up. */
function once(
  ctx: RatesContext,
  key: string,
  look: () => Promise<StoredRate>,
): Promise<StoredRate> {
  const mine = underWay.get(ctx.db) ?? new Map<string, Promise<StoredRate>>();
  underWay.set(ctx.db, mine);
  const running = mine.get(key);
  if (running) return running;
  const started = look().finally(() => mine.delete(key));
  mine.set(key, started);
  return started;
}

/** A stored rate of a day. */
export type StoredRate = {
  quote: string;
  day: string;
  /** US dollars for one unit of the quote, exact. */
  usdPerUnit: Fraction;
  publishedOn: string;
  source: string;
  isFinal: boolean;
  fetchedAt: Date;
};

/**
 * The rule that chose a kept rate's source: 1 asked the blended series and crossed two of its euro figures,
 * 2 asks the ECB first. A row of an older rule counts as missing, and is replaced.
 */
export const RATE_RULE = 2;

/** The rates kept for a currency on some days. */
export async function loadRates(
  db: RatesContext['db'],
  o: { quote: string; days: readonly string[] },
): Promise<Map<string, StoredRate>> {
  const rows = await db.rate.findMany({
    where: { quote: o.quote, day: { in: o.days.map(startOf) }, rule: RATE_RULE },
  });
  return new Map(rows.map((row) => [dayOf(row.day), toStored(row)]));
}

/**
 * Keeps a rate and returns the one that counts. A final one that another process kept first is not
 * replaced, so that every reader has the same.
 */
export async function keepRate(
  db: RatesContext['db'],
  rate: Omit<Rate, 'day' | 'publishedOn' | 'rule'> & { day: string; publishedOn: string },
): Promise<StoredRate> {
  const { quote } = rate;
  const day = startOf(rate.day);
  const data = { ...rate, day, publishedOn: startOf(rate.publishedOn), rule: RATE_RULE };
  await db.rate.createMany({ data: [data], skipDuplicates: true });
  await db.rate.updateMany({
    where: {
      quote,
      day,
      OR: [{ rule: { lt: RATE_RULE } }, { final: false, fetchedAt: { lt: rate.fetchedAt } }],
    },
    data,
  });
  return toStored(await db.rate.findUniqueOrThrow({ where: { quote_day: { quote, day } } }));
}

function toStored(row: Rate): StoredRate {
  const [rate, usdRate] = [fractionOf(row.rate), fractionOf(row.usdRate)];
  if (!rate || !usdRate)
    throw new Error(`the rate of ${row.quote} on ${dayOf(row.day)} is not valid`);
  return {
    quote: row.quote,
    day: dayOf(row.day),
    usdPerUnit: over(usdRate, rate),
    publishedOn: dayOf(row.publishedOn),
    source: row.source,
    isFinal: row.final,
    fetchedAt: row.fetchedAt,
  };
}

/** The value of one unit of a token on a day. */
export type TokenPrice = {
  /** US dollars for one unit, exact. */
  usdPerUnit: Fraction;
  basis: 'par' | 'fx' | 'market';
  /** Where the price is from, with the price and its day; null at par. */
  source: string | null;
  /** Whether the source may still publish another one for that day. */
  isProvisional: boolean;
};

/**
 * The price of a token on a UTC day: at par, by the rate of its currency, or at the market price of that
 * day. Null for a token that has no valuation. Throws `rates_unavailable` and `rate_not_covered`.
 */
export async function priceToken(
  ctx: RatesContext,
  o: { token: Pick<TokenEntry, 'valuation'>; day: string },
): Promise<TokenPrice | null> {
  const { valuation } = o.token;
  if (valuation === null) return null;
  if (valuation === 'par') return AT_PAR;
  const [quote, basis] =
    valuation === 'market' ? (['SOL', 'market'] as const) : ([valuation.fx, 'fx'] as const);
  const rate = await findRate(ctx, { quote, day: o.day });
  return {
    usdPerUnit: rate.usdPerUnit,
    basis,
    source: `${rate.source}: ${quote}/USD ${toDecimalText(rate.usdPerUnit)} of ${rate.publishedOn}`,
    isProvisional: !rate.isFinal,
  };
}

const AT_PAR: TokenPrice = { usdPerUnit: ONE, basis: 'par', source: null, isProvisional: false };
