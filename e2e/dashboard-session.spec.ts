import type { Page } from '@playwright/test';
import { register } from '@/tests/harness/use-dashboard';
import { makeShop, noteReceipt } from './harness/fill-dashboard';
import { signInHere, visit } from './harness/open-page';
import { focused } from './harness/read-aloud';
import { expect, test } from './harness/site';

const CALLS = /\/api\/trpc\/[^?]*dashboard\./;
const SIGN_IN = { name: 'Sign in with your wallet' };

/** Collects each distinct view of a page that names a wallet and texts of others. */
async function watch(
  page: Page,
  o: { wallet: string; never: string },
): Promise<() => Promise<string[]>> {
  await page.evaluate(({ wallet, never }) => {
    const seen: string[] = [];
    Reflect.set(window, '__mixed', seen);
    const look = () => {
      const isShown = document.querySelector(`[aria-label$="${wallet}"]`) !== null;
      const entries = [...document.querySelectorAll('input')].map(({ value }) => value).join(' ');
      const text = `${document.body.innerText} ${entries}`;
      if (isShown && text.includes(never)) seen.push(text.slice(0, 2_000));
    };
    look();
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  }, o);
  return () => page.evaluate(() => Reflect.get(window, '__mixed') as string[]);
}

/** The dashboard when the session of its wallet changes or ends. */
test.describe('the session of the dashboard', () => {
  test('the next wallet sees nothing of the last one, even before its own data arrive', async ({
    site,
  }) => {
    const { service } = site;
    const first = await makeShop(service, { purpose: 'Sale of the first', count: 2 });
    const second = await makeShop(service, { purpose: 'Sale of the second', count: 1 });
    const label = 'SECRET of the first';
    await noteReceipt(service, { wallet: first.address, invoiceId: 'INV-3', label });
    const texts = { business_name: 'Shop of the first', service_type: 'Goods of the first' };
    expect((await register(service, first, texts)).status).toBe(200);
    const { page, context, switchTo } = await visit(site, '/dashboard', { wallet: first });
    await signInHere(page);
    await page.getByText(label).first().waitFor();
    await page.getByRole('tab', { name: 'Automatic receipts' }).click();
    await expect
      .poll(() => page.getByLabel('Business name').inputValue())
      .toBe('Shop of the first');
    await page.getByRole('tab', { name: 'Received' }).click();
    await context.route(CALLS, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      await route.continue();
    });
    const mixed = await watch(page, { wallet: second.address, never: 'of the first' });
    await switchTo(page, second);
    await page.getByRole('button', { name: /^Sign in with/ }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel(`Your wallet ${second.address}`).waitFor();
    await page.getByRole('tab', { name: 'Automatic receipts' }).click();
    await page.getByRole('tab', { name: 'Received' }).click();
    await page.getByRole('row', { name: /Sale of the second/ }).waitFor();
    await page.getByRole('tab', { name: 'Automatic receipts' }).click();
    await expect(page.getByLabel('Business name')).toHaveValue('');
    expect(await mixed()).toEqual([]);
    await context.close();
  });

  for (const [next, press] of [
    ['asks for another page', (page: Page) => page.getByRole('button', { name: 'Older' }).click()],
    [
      'changes a filter',
      (page: Page) =>
        page.getByLabel('Period', { exact: true }).selectOption({ label: 'All time' }),
    ],
  ] as const)
    test(`a tab whose wallet another tab replaced shows the other wallet when it ${next}`, async ({
      site,
    }) => {
      const { service } = site;
      const first = await makeShop(service, { purpose: 'Sale of the first', count: 30 });
      const second = await makeShop(service, { purpose: 'Sale of the second', count: 30 });
      const { page, context, switchTo } = await visit(site, '/dashboard', { wallet: first });
      await signInHere(page);
      await page.getByRole('row', { name: /INV-59/ }).waitFor();
      const mixed = await watch(page, { wallet: first.address, never: 'Sale of the second' });
      const others = await openSecond(context.newPage());
      await others.getByRole('button', { name: 'Sign out' }).click();
      await others.getByRole('heading', SIGN_IN).waitFor();
      await others.getByRole('button', { name: 'Connect wallet' }).waitFor();
      await switchTo(others, second);
      await signInHere(others);
      await others
        .getByRole('row', { name: /Sale of the second/ })
        .first()
        .waitFor();
      await press(page);
      await page.getByLabel(`Your wallet ${second.address}`).waitFor();
      await page
        .getByRole('row', { name: /Sale of the second/ })
        .first()
        .waitFor();
      await expect(page.getByRole('row', { name: /Sale of the first/ })).toHaveCount(0);
      expect(await mixed()).toEqual([]);
      await context.close();
    });

  test('a session that ended leads to the sign-in, and the filters stay', async ({ site }) => {
    const shop = await makeShop(site.service, { purpose: 'Bread', count: 30 });
    const { page, context } = await visit(site, '/dashboard', { wallet: shop });
    await signInHere(page);
    await page.getByRole('row', { name: /INV-59/ }).waitFor();
    await page.getByLabel('Period', { exact: true }).selectOption({ label: 'All time' });
    // Its rows are there, so no call of this session is still to be sent.
    await expect(page.getByRole('button', { name: 'Older' })).toBeEnabled();
    const ended = async () => {
      await page.getByRole('heading', SIGN_IN).waitFor();
      await expect.poll(() => focused(page)).toMatch(/^group \| Your session ended \| /);
      expect(await page.getByText('Bread').count()).toBe(0);
      await signInAgain(page);
      await page.getByRole('row', { name: /INV-/ }).first().waitFor();
      const period = page.getByLabel('Period', { exact: true }).locator('option:checked');
      await expect(period).toHaveText('All time');
    };
    await context.clearCookies();
    await page.getByRole('button', { name: 'Older' }).click();
    await ended();
    await page
      .getByRole('button', { name: /^Add a note/ })
      .first()
      .click();
    await page.getByLabel('Your note').fill('Lost');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await ended();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Download CSV' }).click();
    await ended();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toBe('dashboard-received.csv');
    await context.close();
  });

  test('a seller whose session ended learns that its registration was saved', async ({ site }) => {
    const shop = await makeShop(site.service, { purpose: 'Bread', count: 1 });
    const { page, context } = await visit(site, '/dashboard', { wallet: shop });
    await signInHere(page);
    await page.getByRole('tab', { name: 'Automatic receipts' }).click();
    await page.getByLabel('Business name').fill('Corner bakery');
    await page.getByLabel('Purpose of payments').fill('Bread');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Sign and turn on' }).click();
    await page.getByText('Automatic receipts are on').first().waitFor();
    await page.getByRole('heading', SIGN_IN).waitFor();
    await signInAgain(page);
    await page.getByText('On since').first().waitFor();
    await context.close();
  });
});

/** Signs in with the wallet that stayed connected when the session ended. */
async function signInAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Signed in as').first().waitFor();
}

/** The dashboard in another tab, whose wallet is connected. */
async function openSecond(opening: Promise<Page>): Promise<Page> {
  const page = await opening;
  // The dashboard does not show whether the wallet is connected.
  await page.goto('/');
  await page.getByRole('button', { name: 'Disconnect' }).waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByText('Signed in as').first().waitFor();
  return page;
}
