import type { BrowserContext, Page, Route } from '@playwright/test';

const CHUNKS = '**/_next/static/chunks/**';

/**
 * Drops each script that contains these words, for a page or a whole browser, until the returned
 * function is called.
 */
export async function loseCode(
  where: Page | BrowserContext,
  words: string,
): Promise<() => Promise<void>> {
  const answer = async (route: Route) => {
    const response = await route.fetch();
    const isLost = (await response.text()).includes(words);
    await (isLost ? route.abort() : route.fulfill({ response }));
  };
  // A script may still be loading when the loss ends or the page closes. The browser then asks
  // again without us.
  const handler = (route: Route) => answer(route).catch(() => undefined);
  await where.route(CHUNKS, handler);
  return () => where.unroute(CHUNKS, handler);
}
