import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { chooseLocale, LANGUAGE_COOKIE, languageOf, type Language } from './locales';
import { FOLDERS } from './messages';

/** The language and texts of one request. next-intl asks once for each. */
export default getRequestConfig(async () => {
  const locale = chooseLocale({
    cookie: (await cookies()).get(LANGUAGE_COOKIE)?.value,
    accept: (await headers()).get('accept-language'),
  });
  // Times of the server are UTC. Only the browser knows the zone of the reader.
  return { locale, timeZone: 'UTC', messages: await loadMessages(languageOf(locale)) };
});

async function loadMessages(language: Language) {
  const files = FOLDERS.map(async (folder) => {
    const file: { default: object } = await import(`../messages/${language}/${folder}.json`);
    return [folder, file.default] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}
