import type { RateSources } from '@/server/env';
import { askBlend, firstDayOfBlend } from './ask-blend';
import { askDailyCandles, FIRST_CANDLE } from './ask-daily-candles';
import { askDatedFiles, FIRST_DATED_FILE } from './ask-dated-files';
import { askEcb } from './ask-ecb';
import type { Published, RateQuestion } from './published';

export type Source = {
  /** How answers call it: provider and basis. */
  name: string;
  url: string;
  ask(question: RateQuestion): Promise<Published | null>;
  /** The first day it covers, null when not known. Left out where another source begins no later. */
  firstDay?(question: RateQuestion): Promise<string | null>;
};

/**
 * The sources of a currency, or of the price of `SOL`, in the order in which they are asked: the ECB's
 * reference rates, which an accountant can look up; for what the ECB does not have the blend of all banks,
 * which holds the ECB's figures too and so begins no later; then dated files.
 */
export function sourcesOf(rates: RateSources, quote: string): Source[] {
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
