import type { Page } from '@playwright/test';
import { z } from 'zod';
import { focusOf, readTree } from './ax-tree';

/** A screen reader's text for the focused element, by Chromium's own accessibility tree. */
export async function focused(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const nodes = await readTree(session);
  await session.detach();
  return focusOf(nodes);
}

/**
 * Collects the texts of a page's live regions from now on. Only a region that is there before its
 * text counts, because screen readers skip one that arrives with its text.
 */
export async function listen(page: Page): Promise<{ heard: () => Promise<string[]> }> {
  await page.evaluate(() => {
    const said: string[] = [];
    Reflect.set(window, '__said', said);
    const regions = document.querySelectorAll('[role=status], [role=alert], [aria-live]');
    for (const region of regions)
      new MutationObserver(() => {
        const text = region.textContent?.trim() ?? '';
        if (text !== '') said.push(text);
      }).observe(region, { childList: true, characterData: true, subtree: true });
  });
  return {
    heard: async () => z.array(z.string()).parse(await page.evaluate('window.__said')),
  };
}
