import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The Chromium of this machine: from its package manager, or Playwright's own. Throws with the
 * packages to install.
 */
export function findBrowser(): string {
  const found = [...PLACES, chromium.executablePath()].find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'The tests of the pages need Chromium: apt-get install chromium (Debian), or npx playwright install chromium.',
  );
}

/** The browser must make no calls of its own, and it runs as root in containers. */
export const BROWSER_ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
