import type { Page } from '@playwright/test';
import { z } from 'zod';

/** A value of Chromium's accessibility tree. */
const value = z.object({ value: z.unknown().optional() }).optional();
const tree = z.object({
  nodes: z.array(
    z.object({
      role: value,
      name: value,
      description: value,
      properties: z
        .array(z.object({ name: z.string(), value: z.object({ value: z.unknown().optional() }) }))
        .optional(),
    }),
  ),
});

/** What a screen reader says of the element that has the focus, by Chromium's own accessibility tree. */
export async function focused(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = tree.parse(await session.send('Accessibility.getFullAXTree'));
  await session.detach();
  const found = nodes.filter(
    ({ role, properties }) =>
      role?.value !== 'RootWebArea' &&
      properties?.some((one) => one.name === 'focused' && one.value.value === true),
  );
  return found
    .map(({ role, name, description }) => {
      const words = [role, name, description].map((part) => String(part?.value ?? ''));
      return words.filter((part) => part !== '').join(' | ');
    })
    .join('\n');
}

/**
 * Collects what the live regions of a page say from now on. Only a region that is there before its text counts, as
 * screen readers pass over one that comes with its text.
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
