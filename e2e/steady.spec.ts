import type { Page } from '@playwright/test';
import { awaitStatus, freshReceipt } from '@/tests/harness/use-service';
import { awaitMinted, freshStatement } from '@/tests/harness/use-statements';
import { makeShop } from './harness/fill-dashboard';
import { signInHere, visit } from './harness/open-page';
import { expect, test } from './harness/site';

/** How long the fonts take to arrive, in ms: after the first view, as on a slow network. */
const FONTS_MS = 800;
/** After that, nothing of a page is still loading, in ms. */
const QUIET_MS = 2_500;
/** Sum of all shifts. Above 0.1 Lighthouse takes points, and readers notice. */
const MOST_SHIFT = 0.03;

/** Pages on a phone whose fonts and data arrive after the first view. */
test.describe('a page that is still loading', () => {
  test('does not move when its fonts and data arrive', async ({ site }) => {
    const { service } = site;
    const { id } = await freshReceipt(service);
    await awaitStatus(service, id);
    const statement = await freshStatement(service);
    await awaitMinted(service, statement.id);
    const { page, context } = await visit(site, '/', { phone: true });
    await watchShifts(page);
    for (const path of ['/', `/r/${id}`, `/s/${statement.id}`, '/docs'])
      expect([path, await shiftsOf(page, path)]).toEqual([path, []]);
    await context.close();
  });

  test('of the dashboard does not move either', async ({ site }) => {
    const seller = await makeShop(site.service, { purpose: 'Bread', count: 20 });
    const { page, context } = await visit(site, '/dashboard', { wallet: seller, phone: true });
    await signInHere(page);
    await watchShifts(page);
    expect(await shiftsOf(page, '/dashboard')).toEqual([]);
    await context.close();
  });
});

/** From now on, fonts arrive late, and each page notes what moves. */
async function watchShifts(page: Page): Promise<void> {
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, FONTS_MS));
    await route.continue();
  });
  await page.addInitScript(() => {
    const shifts: [number, string][] = [];
    Reflect.set(window, 'shifts', shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const sources: { node?: Node }[] = Reflect.get(entry, 'sources');
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 30) ?? '');
        shifts.push([Reflect.get(entry, 'value'), moved.join(', ')]);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The shifts of a page, if together they are more than a reader tolerates. */
async function shiftsOf(page: Page, path: string): Promise<unknown> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.waitForTimeout(QUIET_MS);
  return page.evaluate((most) => {
    const shifts: [number, string][] = Reflect.get(window, 'shifts');
    return shifts.reduce((sum, [value]) => sum + value, 0) > most ? shifts : [];
  }, MOST_SHIFT);
}
