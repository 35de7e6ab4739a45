import type { BrowserContext, Page, Route } from '@playwright/test';

const CHUNKS = '**/_next/static/chunks/**';

/** Loses each script that holds these words, for a page or for all of a browser, until what it gives is called. */
export async function loseCode(
  where: Page | BrowserContext,
  words: string,
): Promise<() => Promise<void>> {
  const answer = async (route: Route) => {
    const response = await route.fetch();
    const isLost = (await response.text()).includes(words);
    await (isLost ? route.abort() : route.fulfill({ response }));
  };
  // A script may still be on its way when the loss ends or the page closes; the browser then asks by itself.
  const handler = (route: Route) => answer(route).catch(() => undefined);
  await where.route(CHUNKS, handler);
  return () => where.unroute(CHUNKS, handler);
}
