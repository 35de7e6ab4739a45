import { addDays } from './day';
import { askRange, listedStart } from './frankfurter';
import { DAYS_BACK, type Published, type RateQuestion } from './published';

/**
 * Frankfurter's blend of all banks, asked for one dollar: the server rounds each figure to five digits, so
 * two euro figures crossed would be rounded twice. A bank that publishes on a Saturday counts on that day.
 * Null when no bank published in those seven days. Throws SourceDown.
 */
export async function askBlend(q: RateQuestion): Promise<Published | null> {
  const from = addDays(q.day, -DAYS_BACK);
  const figures = await figuresOf(q, { from, to: q.day });
  const last = figures.at(-1);
  return last ? { base: BASE, usdRate: '1', ...last, finality: 'for_48_hours' } : null;
}

/**
 * The first day on which the blend has the currency; null when that is not known. The server's list also
 * counts series that never enter the blend, so its day is told only if the blend really answers there.
 */
export async function firstDayOfBlend(q: RateQuestion): Promise<string | null> {
  const start = await listedStart(q.url, q.quote);
  if (start === null || start <= q.day) return start;
  const [first] = await figuresOf(q, { from: start, to: addDays(start, DAYS_BACK) });
  return first?.publishedOn ?? null;
}

const BASE = 'USD';

/** The published figures of a range, oldest first. */
async function figuresOf(
  q: Pick<RateQuestion, 'url' | 'quote'>,
  o: { from: string; to: string },
): Promise<Pick<Published, 'rate' | 'publishedOn'>[]> {
  const days = await askRange(q.url, { ...o, base: BASE, quotes: [q.quote] });
  return [...days]
    .flatMap(([publishedOn, figures]) => {
      const rate = figures.get(q.quote);
      return rate === undefined ? [] : [{ publishedOn, rate }];
    })
    .sort((a, b) => (a.publishedOn < b.publishedOn ? -1 : 1));
}
