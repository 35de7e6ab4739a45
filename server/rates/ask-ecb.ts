import { addDays } from './day';
import { askRange } from './frankfurter';
import { DAYS_BACK, type Published, type RateQuestion } from './published';

/**
 * The European Central Bank's reference rate of a currency, from a Frankfurter server asked for that bank
 * alone. The figures are for one euro, digit by digit as the ECB publishes them, so the dollar and the
 * currency come from the same publication and are crossed by the caller.
 *
 * Null when the ECB has no figure: the last publication on or before the day does not hold the currency
 * (the ECB stopped the rouble after 1 March 2022), or there is none in those seven days. A figure is final
 * once the ECB has published for a later day. Throws SourceDown.
 */
export async function askEcb(q: RateQuestion): Promise<Published | null> {
  const days = await askRange(q.url, {
    providers: 'ECB',
    base: 'EUR',
    quotes: q.quote === 'EUR' ? ['USD'] : ['USD', q.quote],
    from: addDays(q.day, -DAYS_BACK),
    to: endOf(q),
  });
  // The ECB publishes all its currencies at once: a day with a dollar is a day of publication.
  const published = [...days].filter(([, figures]) => figures.has('USD'));
  const [last] = published.filter(([day]) => day <= q.day).sort(([a], [b]) => (a < b ? 1 : -1));
  if (!last) return null;
  const [publishedOn, figures] = last;
  const rate = q.quote === 'EUR' ? '1' : figures.get(q.quote);
  const usdRate = figures.get('USD');
  if (rate === undefined || usdRate === undefined) return null;
  const isSuperseded = published.some(([day]) => day > q.day);
  const finality = isSuperseded ? 'final' : 'until_superseded';
  return { base: 'EUR', rate, usdRate, publishedOn, finality };
}

/** A later publication makes the rate final; what lies in the future cannot be asked for. */
function endOf({ day, today }: RateQuestion): string {
  const weekLater = addDays(day, DAYS_BACK);
  if (weekLater < today) return weekLater;
  return day > today ? day : today;
}
