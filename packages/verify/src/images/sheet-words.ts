import { dollars } from './draw-words';

type Valued = {
  usdMicros: bigint;
  valuation: 'par' | 'fx' | 'market';
  valuationSource: string | null;
  token: string;
};
/** The words for who stated or calculated a group of an image, and for the value in US dollars. */
export type SheetWords = {
  stated(by: 'payer' | 'seller'): string;
  service: string;
  /** The service's part of a statement. */
  added: string;
  value(of: Valued): string;
};

/** From this template on, images use the words of the pages. */
const FIRST_WITH_WORDS_OF_PAGES = 4;

/** The words in the image of a receipt or statement, by the template of its metadata. */
export function sheetWords(template: number): SheetWords {
  return template < FIRST_WITH_WORDS_OF_PAGES ? EARLIER : OF_PAGES;
}

const BASES = { fx: 'exchange rate of the day', market: 'market price of the day' } as const;
const OF_PAGES: SheetWords = {
  stated: (by) => `Stated by the ${by}`,
  service: 'Calculated by Quittance',
  added: 'Calculated by Quittance',
  value: ({ usdMicros, valuation, valuationSource, token }) => {
    const basis = valuation === 'par' ? `1 ${token} = 1 USD` : BASES[valuation];
    const source = valuationSource === null ? '' : `, ${valuationSource}`;
    return `${dollars(usdMicros)} (${basis}${source})`;
  },
};

const EARLIER_BASES = {
  par: 'at par',
  fx: 'at the exchange rate',
  market: 'at the market price',
} as const;
/** Images of earlier templates are drawn again with these words, so they never change. */
const EARLIER: SheetWords = {
  stated: (by) => `Stated by the ${by}, not verified`,
  service: 'Added by Quittance',
  added: 'Added up by Quittance',
  value: ({ usdMicros, valuation, valuationSource }) => {
    const source = valuationSource === null ? '' : ` (${valuationSource})`;
    return `${dollars(usdMicros)}, ${EARLIER_BASES[valuation]}${source}`;
  },
};
