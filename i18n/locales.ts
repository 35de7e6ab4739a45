/** The languages of the pages, in the order in which the switch lists them. */
export const LANGUAGES = ['en', 'de', 'es', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language's own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  ja: '日本語',
};

/** Holds the language that a reader chose with the switch. */
export const LANGUAGE_COOKIE = 'language';

/** Longer headers are cut, because no browser sends that many languages. */
const MOST_HEADER_LETTERS = 500;

/**
 * The locale of a reader as a BCP 47 tag: language and, if the browser names one, region (`de-CH`).
 * A language that the reader chose wins over `Accept-Language`. The region only decides the format
 * of numbers and dates.
 */
export function chooseLocale(o: { cookie: string | undefined; accept: string | null }): string {
  const wanted = readAccepted(o.accept ?? '');
  const chosen =
    LANGUAGES.find((language) => language === o.cookie) ??
    wanted.map(({ language }) => language)[0] ??
    LANGUAGES[0];
  const region = wanted.find(({ language }) => language === chosen)?.region;
  return region === undefined ? chosen : `${chosen}-${region}`;
}

/** The language of a locale of {@link chooseLocale}: `de` of `de-CH`. */
export function languageOf(locale: string): Language {
  const [first] = locale.split('-');
  return LANGUAGES.find((language) => language === first) ?? LANGUAGES[0];
}

/**
 * The supported languages that an `Accept-Language` header names, the most wanted first (RFC 9110,
 * 12.5.4).
 */
function readAccepted(header: string): { language: Language; region: string | undefined }[] {
  return header
    .slice(0, MOST_HEADER_LETTERS)
    .split(',')
    .flatMap((part) => {
      const [tag = '', ...rest] = part.trim().split(/\s*;\s*/);
      const quality = /^q=([01](?:\.\d{0,3})?)$/i.exec(rest[0] ?? 'q=1')?.[1];
      const parts = /^([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?$/i.exec(tag);
      const language = LANGUAGES.find((one) => one === parts?.[1]?.toLowerCase());
      const weight = Number(quality ?? 0);
      if (language === undefined || weight === 0) return [];
      return [{ language, region: parts?.[2]?.toUpperCase(), weight }];
    })
    .sort((a, b) => b.weight - a.weight);
}
