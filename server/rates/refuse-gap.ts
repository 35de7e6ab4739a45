import { ServiceError } from '@/server/errors';
import type { Source } from './sources';

/**
 * The refusal of a day that no source has. It names a first day only if every source is known to begin
 * after the asked day, and then the earliest; a day inside what is covered, or next to an unknown begin, is
 * a gap and says no more than that.
 */
export async function refuseGap(
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
