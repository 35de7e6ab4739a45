import { z } from 'zod';
import { fractionOf } from './fraction';

/** How far back a day without a publication may take the last one before it. */
export const DAYS_BACK = 7;

/** What a source says of a currency (or SOL) on a day. `day` and `today` are UTC dates, YYYY-MM-DD. */
export type RateQuestion = { url: string; quote: string; day: string; today: string };

/** The last publication on or before the day, at most seven days back. */
export type Published = {
  base: string;
  /** Units of the quote for one of the base, exact decimal as published. */
  rate: string;
  /** US dollars for one of the base, of the same publication. */
  usdRate: string;
  publishedOn: string;
  /** Whether the source has published for a later day as well. */
  isSuperseded: boolean;
};

/** No publication in those days; with the first day the source covers, where that is later. */
export type Missing = { missing: true; firstDay: string | null };

/** A number as its text, see fetch-exact.ts: above zero and plain enough to be a rate. */
export const decimal = z.string().refine((text) => fractionOf(text) !== null);
export const isoDay = z.iso.date();
