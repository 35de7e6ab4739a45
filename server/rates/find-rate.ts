import { databaseNow } from '@/server/db/database-time';
import { ServiceError } from '@/server/errors';
import { dayOf, startOf } from './day';
import { SourceDown } from './fetch-exact';
import type { Published } from './published';
import type { RatesContext } from './rates-context';
import { refuseGap } from './refuse-gap';
import { sourcesOf } from './sources';
import { keepRate, loadRates, type StoredRate } from './store-rate';

const HOUR_MS = 3_600_000;
/** After the end of its day, when a figure is final that no later publication makes final. */
const FINAL_AFTER_MS = 48 * HOUR_MS;
/** How long a rate that may still change is used before the source is asked again. */
const REFRESH_MS = 10 * 60_000;

/**
 * The rate of a currency, or the price of `SOL`, on a UTC day: the last one published on or before that
 * day, at most seven days back. A final one is looked up once in the service's life. Throws
 * `rates_unavailable` when a source is down and the rate of the very day is not kept, and
 * `rate_not_covered` when there is none.
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
 * The first source that has the currency on that day. A source that is down is not passed over: the rate
 * of a day must not depend on who happened to answer.
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
