/** The reader's choice. `system` follows the computer. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** A cookie, so that the server sends the page in the right colours without a flash. */
export const THEME_COOKIE = 'theme';

/** The theme that a cookie names. Anything unknown is `system`. */
export function readTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}

const YEAR_S = 31_536_000;

/** Shows the page in a theme and remembers it. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
