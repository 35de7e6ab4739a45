import { ServiceError } from '@/server/errors';
import { askDailyCandles } from './ask-daily-candles';
import { askDatedFiles } from './ask-dated-files';
import { askFrankfurter } from './ask-frankfurter';
import { dayOf, startOf } from './day';
import { SourceDown } from './fetch-exact';
import type { Missing, Published, RateQuestion } from './published';
import type { RatesContext } from './rates-context';
import { keepRate, loadRates, type StoredRate } from './store-rate';

const HOUR_MS = 3_600_000;
/** A rate is final this long after the end of its day, whatever the source has published since. */
const FINAL_AFTER_MS = 48 * HOUR_MS;
/** How long a rate that may still change is used before the source is asked again. */
const REFRESH_MS = 10 * 60_000;

/**
 * The rate of a currency, or the price of `SOL`, on a UTC day: the last one published on or before that
 * day, at most seven days back. A final one is looked up once in the service's life. Throws
 * `rates_unavailable` when a source is down and the rate of the very day is not kept, and
 * `rate_not_covered` when there is none, naming the first day there is.
 */
export async function findRate(
  ctx: RatesContext,
  o: { quote: string; day: string },
): Promise<StoredRate> {
  const kept = (await loadRates(ctx.db, { quote: o.quote, days: [o.day] })).get(o.day) ?? null;
  return settleRate(ctx, { ...o, kept });
}

/** As {@link findRate}, by one who has looked into the table already. */
export async function settleRate(
  ctx: RatesContext,
  o: { quote: string; day: string; kept: StoredRate | null },
): Promise<StoredRate> {
  const { kept, quote, day } = o;
  const now = ctx.clock.now();
  if (kept?.isFinal) return kept;
  if (kept && now.getTime() - kept.fetchedAt.getTime() < REFRESH_MS) return kept;
  return once(ctx, `${quote} ${day}`, async () => {
    try {
      const { source, published } = await askSources(ctx, { quote, day, today: dayOf(now) });
      const { isSuperseded, ...rate } = published;
      const final =
        isSuperseded || now.getTime() >= startOf(day).getTime() + 24 * HOUR_MS + FINAL_AFTER_MS;
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

type Source = {
  name: string;
  url: string;
  ask(question: RateQuestion): Promise<Published | Missing>;
};

/**
 * The first source that has the currency on that day. A source that is down is not passed over: the rate
 * of a day must not depend on who happened to answer.
 */
async function askSources(
  ctx: RatesContext,
  o: { quote: string; day: string; today: string },
): Promise<{ source: string; published: Published }> {
  const firstDays: string[] = [];
  for (const source of sourcesOf(ctx, o.quote)) {
    const answer = await source.ask({ ...o, url: source.url });
    if (!('missing' in answer)) return { source: source.name, published: answer };
    if (answer.firstDay !== null) firstDays.push(answer.firstDay);
  }
  const [firstDay = null] = firstDays.sort();
  throw new ServiceError(
    'rate_not_covered',
    firstDay === null
      ? `No ${o.quote} rate was published on ${o.day} or in the 7 days before it.`
      : `There is no ${o.quote} rate for ${o.day}: the first day that is covered is ${firstDay}.`,
    { details: { day: o.day, quote: o.quote, first_day: firstDay } },
  );
}

function sourcesOf({ env: { rates } }: RatesContext, quote: string): Source[] {
  if (quote === 'SOL') return [{ name: rates.solName, url: rates.solUrl, ask: askDailyCandles }];
  return [
    { name: rates.name, url: rates.url, ask: askFrankfurter },
    { name: rates.datedName, url: rates.datedUrl, ask: askDatedFiles },
  ];
}

const underWay = new WeakMap<object, Map<string, Promise<StoredRate>>>();

/** Requests of the same moment share one look-up. */
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
