import { defineConfig } from '@playwright/test';
import { BROWSER_ARGS, findBrowser } from './e2e/harness/find-browser';

/**
 * Tests of the pages, in the Chromium of this machine. A failed test leaves a trace and a screenshot in
 * `test-results/`, and an HTML report in `playwright-report/`.
 */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/harness/global-setup.ts',
  // All specs share one service.
  workers: 1,
  timeout: 300_000,
  // Then the failures so far are still reported.
  ...(process.env.CI ? { globalTimeout: 1_800_000 } : {}),
  // A machine may be several times slower than the one where a test was written. Only failures wait this long.
  expect: { timeout: 30_000 },
  forbidOnly: true,
  retries: 0,
  reporter: [['list'], ['html', { open: 'never' }]],
  use: {
    launchOptions: { executablePath: findBrowser(), args: BROWSER_ARGS },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
