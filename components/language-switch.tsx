'use client';

import { useLocale, useTranslations } from 'next-intl';
import { startTransition, useState, type SubmitEvent } from 'react';
import { LANGUAGE_NAMES, LANGUAGES, languageOf } from '@/i18n/locales';
import { setLanguage } from '@/i18n/set-language';
import { failureOf } from './api-client';
import styles from './language-switch.module.css';
import { useErrorText } from './use-error-words';

/** Shows the page in another language. It is a form, so it works without JavaScript. */
export function LanguageSwitch() {
  const current = languageOf(useLocale());
  const t = useTranslations('frame');
  const errorText = useErrorText();
  const [hasFailed, setFailed] = useState(false);
  /** With JavaScript, a switch that gets no answer leaves the page as it is. */
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget, event.nativeEvent.submitter);
    setFailed(false);
    startTransition(() => setLanguage(data).catch(() => setFailed(true)));
  };
  return (
    <form action={setLanguage} onSubmit={send}>
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
      <p role="alert" className="small">
        {hasFailed ? errorText(failureOf(null)) : null}
      </p>
    </form>
  );
}
