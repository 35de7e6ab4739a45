'use client';

import { useState } from 'react';
import styles from './theme-switch.module.css';
import { THEMES, applyTheme, type Theme } from './theme';

const WORDS: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Light, dark, or as the computer says. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
  };
  return (
    <fieldset className={styles['switch']}>
      <legend className="unseen">Colours</legend>
      {THEMES.map((choice) => (
        <label key={choice} className={styles['choice']}>
          <input
            type="radio"
            name="theme"
            value={choice}
            checked={theme === choice}
            onChange={() => choose(choice)}
          />
          {WORDS[choice]}
        </label>
      ))}
    </fieldset>
  );
}
