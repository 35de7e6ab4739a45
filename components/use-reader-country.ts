import { useLocale } from 'next-intl';
import { useSyncExternalStore } from 'react';
import { countryOf } from './reader-country';

/** Storage key of the country whose currency the reader chose. */
const PLACE = 'quittance-country';
/** The choice of this visit, because a browser may refuse to store it. */
let chosen: string | null = null;
const listeners = new Set<() => void>();

/**
 * The country whose currency the reader chose, else the one that the languages of the browser and
 * the page suggest. `codes` are the countries that the service has a currency for. Null on the server
 * and without `codes`.
 */
export function useReaderCountry(codes: readonly string[] | undefined): string | null {
  const locale = useLocale();
  const read = () => (codes ? readerCountry(codes, locale) : null);
  return useSyncExternalStore(subscribe, read, () => null);
}

/** The same for code that runs only in browsers, at this moment. */
export function readerCountry(codes: readonly string[], locale: string): string {
  const known = chosenCountry();
  if (known !== null && codes.includes(known)) return known;
  return countryOf([...navigator.languages, locale], codes);
}

/** Remembers the choice on all pages of this browser. */
export function chooseCountry(country: string): void {
  chosen = country;
  try {
    localStorage.setItem(PLACE, country);
  } catch {
    // The choice is then kept until the page is closed.
  }
  for (const listener of listeners) listener();
}

function chosenCountry(): string | null {
  try {
    return chosen ?? localStorage.getItem(PLACE);
  } catch {
    return chosen;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
