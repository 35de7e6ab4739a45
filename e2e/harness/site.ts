import '@/tests/harness/fetch-setup';
import { test as base } from '@playwright/test';
import { startService, type TestService } from '@/tests/harness/start-service';
import type { Site } from './open-page';

export { expect } from '@playwright/test';

/** Tests with `site`: one service and one browser for all specs, because each start costs about ten seconds. */
export const test = base.extend<{ site: Site }, { service: TestService }>({
  service: [
    // Playwright reads from the braces which fixtures this one needs.
    async ({}, give) => {
      // A blockhash then lives 30 s, because a person needs longer than a program to approve a
      // signature.
      const service = await startService({ env: { DEVNET_SLOT_MS: '200' } });
      await give(service);
      await service.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  site: async ({ service, browser }, give) => {
    await give({ service, browser });
    // A failed test must not leave its faults to the next one.
    await service.fault('chain', null);
    await service.fault('storage', null);
  },
});
