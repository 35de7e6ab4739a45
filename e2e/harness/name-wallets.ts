import type { BrowserContext } from '@playwright/test';

/**
 * Makes every name resolve to one wallet from now on. The embedded chain has no registry of names,
 * so this replaces the service's answer.
 */
export async function nameWallets(context: BrowserContext, address: string): Promise<void> {
  await context.route(/web\.lookUpName/, async (route) => {
    const response = await route.fetch();
    const named = `"state":"found","address":"${address}"`;
    const body = (await response.text()).replace('"state":"no_names"', named);
    await route.fulfill({ response, body });
  });
}
