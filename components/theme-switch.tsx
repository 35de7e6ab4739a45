'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import styles from './theme-switch.module.css';
import { THEMES, applyTheme, readTheme, type Theme } from './theme';

/** Light, dark, or the setting of the computer. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
  const t = useTranslations('frame');
  const choices = useRef<HTMLFieldSetElement>(null);
  // One chosen before the code of the page had loaded.
  useEffect(() => {
    const chosen = choices.current?.querySelector<HTMLInputElement>('input:checked')?.value;
    if (chosen !== initial) applyTheme(readTheme(chosen));
  }, [initial]);
  return (
    <fieldset ref={choices} className={styles['switch']}>
      <legend className="unseen">{t('colours')}</legend>
      {THEMES.map((choice) => (
        <label key={choice} className={styles['choice']}>
          <input
            type="radio"
            name="theme"
            value={choice}
            defaultChecked={choice === initial}
            autoComplete="off"
            onChange={() => applyTheme(choice)}
          />
          {t(`theme.${choice}`)}
        </label>
      ))}
    </fieldset>
  );
}
