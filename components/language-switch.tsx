import { getLocale, getTranslations } from 'next-intl/server';
import { LANGUAGE_NAMES, LANGUAGES, languageOf } from '@/i18n/locales';
import { setLanguage } from '@/i18n/set-language';
import styles from './language-switch.module.css';

/** Shows the page in another language. A form, so it works without JavaScript. */
export async function LanguageSwitch() {
  const current = languageOf(await getLocale());
  const t = await getTranslations('frame');
  return (
    <form action={setLanguage}>
      <fieldset className={styles['switch']}>
        <legend className="unseen">{t('language')}</legend>
        {LANGUAGES.map((language) => (
          <button
            key={language}
            type="submit"
            name="language"
            value={language}
            lang={language}
            className={styles['choice']}
            aria-current={language === current ? 'true' : undefined}
          >
            {LANGUAGE_NAMES[language]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
