import { z } from 'zod';
import { fractionOf } from '@quittance/verify/rates/fraction';

/** How far back a day without a publication may take the last one before it. */
export const DAYS_BACK = 7;

/** A question to a source about a currency (or SOL) on a day. Days are UTC dates, YYYY-MM-DD. */
export type RateQuestion = { url: string; quote: string; day: string; today: string };

/** The last publication on or before the day, at most seven days back. */
export type Published = {
  base: string;
  /** Units of the quote for one of the base, exact decimal as published. */
  rate: string;
  /** US dollars for one of the base, of the same publication. */
  usdRate: string;
  publishedOn: string;
  /**
   * When the figure can no longer change: it cannot now, only once the source has published for a later
   * day, or once 48 hours have passed since the end of the day that was asked for.
   */
  finality: 'final' | 'until_superseded' | 'for_48_hours';
};

/** A number as its text, see fetch-exact.ts: above zero and plain enough to be a rate. */
export const decimal = z.string().refine((text) => fractionOf(text) !== null);
export const isoDay = z.iso.date();
