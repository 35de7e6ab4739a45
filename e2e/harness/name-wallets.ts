import type { BrowserContext } from '@playwright/test';

/**
 * Has every name stand for a wallet from now on: no registry of names is on the embedded chain, so the answer of one
 * is written over the service's own.
 */
export async function nameWallets(context: BrowserContext, address: string): Promise<void> {
  await context.route(/web\.lookUpName/, async (route) => {
    const response = await route.fetch();
    const named = `"state":"found","address":"${address}"`;
    const body = (await response.text()).replace('"state":"no_names"', named);
    await route.fulfill({ response, body });
  });
}
