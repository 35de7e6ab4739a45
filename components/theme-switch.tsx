'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import styles from './theme-switch.module.css';
import { THEMES, applyTheme, type Theme } from './theme';

/** Light, dark, or as the computer says. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
  const t = useTranslations('frame');
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
  };
  return (
    <fieldset className={styles['switch']}>
      <legend className="unseen">{t('colours')}</legend>
      {THEMES.map((choice) => (
        <label key={choice} className={styles['choice']}>
          <input
            type="radio"
            name="theme"
            value={choice}
            checked={theme === choice}
            onChange={() => choose(choice)}
          />
          {t(`theme.${choice}`)}
        </label>
      ))}
    </fieldset>
  );
}
