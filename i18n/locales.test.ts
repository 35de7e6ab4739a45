import { describe, expect, it } from 'vitest';
import { chooseLocale, languageOf } from './locales';

describe('the locale of a reader', () => {
  it.each([
    [undefined, null, 'en'],
    [undefined, '', 'en'],
    [undefined, 'fr-FR,fr;q=0.9', 'en'],
    [undefined, 'de-CH,de;q=0.9,en;q=0.8', 'de-CH'],
    [undefined, 'fr,ja;q=0.5,es-MX;q=0.8', 'es-MX'],
    [undefined, 'en;q=0.2, DE;q=0.7', 'de'],
    [undefined, 'de;q=0, es', 'es'],
    [undefined, 'ja-Jpan-JP', 'ja-JP'],
    [undefined, 'es-419', 'es-419'],
    [undefined, '*, <script>, de-XXXX-1', 'en'],
    [undefined, `${'fr,'.repeat(400)}de`, 'en'],
    ['ja', 'de-CH,en', 'ja'],
    ['en', 'de-DE,de;q=0.9,en-GB;q=0.8', 'en-GB'],
    ['xx', 'de', 'de'],
  ])('with the cookie %s and Accept-Language %s is %s', (cookie, accept, locale) => {
    expect(chooseLocale({ cookie, accept })).toBe(locale);
  });

  it('uses one of our languages', () => {
    expect(['de-CH', 'es', 'ja-JP', 'en-GB', 'fr'].map(languageOf)).toEqual([
      'de',
      'es',
      'ja',
      'en',
      'en',
    ]);
  });
});
