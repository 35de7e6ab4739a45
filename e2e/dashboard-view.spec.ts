import type { Page } from '@playwright/test';
import { makeShop } from './harness/fill-dashboard';
import { signInHere, visit, type Site } from './harness/open-page';
import { expect, test } from './harness/site';

/** A seller with two pages of rows, signed in. */
async function openShop(site: Site, o: { phone?: boolean } = {}) {
  const wallet = await makeShop(site.service, { purpose: 'Bread', count: 30 });
  const shop = await visit(site, '/dashboard', { wallet, ...o });
  await signInHere(shop.page);
  await shop.page.getByRole('row', { name: /INV-59/ }).waitFor();
  return shop;
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(text);
  await page.getByRole('button', { name: 'Search' }).click();
}

const csvOf = (page: Page) => page.getByRole('link', { name: 'Download CSV' }).getAttribute('href');

/** The dashboard after filters, pages, tabs and keys. */
test.describe('the view of the dashboard', () => {
  test('offline it says so, and the number of the page is that of its rows', async ({ site }) => {
    const { page, context } = await openShop(site);
    await page.evaluate(() => {
      const mixed: string[] = [];
      Reflect.set(window, '__mixed', mixed);
      const look = () => {
        const text = document.body.innerText;
        const at = /Page (\d+)/.exec(text)?.[1];
        if (text.includes('INV-59') && at !== '1') mixed.push(`page ${at} shows INV-59`);
        if (text.includes('INV-9') && at !== '2') mixed.push(`page ${at} shows INV-9`);
      };
      new MutationObserver(look).observe(document.body, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    });
    await context.setOffline(true);
    const older = page.getByRole('button', { name: 'Older' });
    for (let press = 0; press < 3; press += 1) await older.click({ force: true });
    await page.getByText('This could not be loaded').first().waitFor();
    await context.setOffline(false);
    await page.getByRole('row', { name: /INV-9\b/ }).waitFor();
    await page.getByText('Page 2', { exact: true }).waitFor();
    expect(await page.evaluate(() => Reflect.get(window, '__mixed') as string[])).toEqual([]);
    await context.setOffline(true);
    await page.getByLabel('Period', { exact: true }).selectOption({ label: 'This month' });
    await page.getByText('The totals could not be loaded').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').first().waitFor();
    await context.setOffline(false);
    await page.getByRole('row', { name: /INV-59/ }).waitFor();
    await context.close();
  });

  test('an emptied search no longer filters the list and its CSV', async ({ site }) => {
    const { page, context } = await openShop(site);
    await search(page, 'INV-29');
    await page.getByRole('row', { name: /INV-59/ }).waitFor({ state: 'detached' });
    await expect.poll(() => csvOf(page)).toContain('search=INV-29');
    await page.getByRole('searchbox', { name: 'Search' }).press('Escape');
    await page.getByRole('row', { name: /INV-59/ }).waitFor();
    await expect.poll(() => csvOf(page)).not.toContain('search=');
    await context.close();
  });

  test('totals and countries follow the search and the state, like the list', async ({ site }) => {
    const { prisma } = site.service;
    const { page, context, wallet } = await openShop(site);
    const seller = wallet.address;
    const { id } = await prisma.receipt.findFirstOrThrow({ where: { seller, invoiceId: 'INV-7' } });
    const redriveAt = new Date('2100-01-01T00:00:00Z');
    await prisma.mint.update({ where: { id }, data: { status: 'failed', redriveAt } });
    const totals = page.getByRole('region', { name: 'Received in this period' });
    await expect.poll(() => totals.innerText()).toMatch(/Payments\s+30\b/);
    await search(page, 'INV-29');
    await expect.poll(() => totals.innerText()).toMatch(/Payments\s+1\b/);
    await expect
      .poll(() => page.getByRole('region', { name: /^Countries of payers,/ }).innerText())
      .toMatch(/Not known\s+1\b/);
    await search(page, 'zzzz');
    await expect.poll(() => totals.innerText()).toMatch(/Payments\s+0\b/);
    await page.getByRole('searchbox', { name: 'Search' }).press('Escape');
    await page.getByLabel('State', { exact: true }).selectOption({ label: 'Failed' });
    await expect.poll(() => totals.innerText()).toMatch(/Payments\s+1\b/);
    await expect(totals).toContainText('$1.00');
    await context.close();
  });

  test('filters, page and unsaved texts survive a visit to another tab', async ({ site }) => {
    const { page, context } = await openShop(site);
    const tab = (name: string) => page.getByRole('tab', { name }).click();
    await page.getByLabel('Period', { exact: true }).selectOption({ label: 'All time' });
    await search(page, 'Bread');
    await page.getByRole('row', { name: /INV-59/ }).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('Page 2', { exact: true }).waitFor();
    await tab('Automatic receipts');
    await page.getByLabel('Business name').fill('Corner bakery');
    await page.getByLabel('Purpose of payments').fill('Rolls');
    await tab('Received');
    await page.getByRole('row', { name: /INV-9\b/ }).waitFor();
    await page.getByText('Page 2', { exact: true }).waitFor();
    await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('Bread');
    const period = page.getByLabel('Period', { exact: true }).locator('option:checked');
    await expect(period).toHaveText('All time');
    await tab('Automatic receipts');
    await expect(page.getByLabel('Business name')).toHaveValue('Corner bakery');
    await expect(page.getByLabel('Purpose of payments')).toHaveValue('Rolls');
    await context.close();
  });

  for (const height of [900, 500])
    test(`no focused control is under the head of the rows, ${height} px high`, async ({
      site,
    }) => {
      const { page, context } = await openShop(site);
      await page.setViewportSize({ width: 1200, height });
      const frame = page.getByRole('region', { name: 'Payments received' });
      await frame.getByRole('link').last().focus();
      const covered: string[] = [];
      let stops = 0;
      for (let stop = 0; stop < 80; stop += 1) {
        await page.keyboard.press('Shift+Tab');
        const seen = await page.evaluate(() => {
          const focus = document.activeElement;
          const head = focus?.closest('tbody')?.parentElement?.querySelector('thead th');
          if (!focus || !head) return null;
          const top = focus.getBoundingClientRect().top;
          const isCovered = top < head.getBoundingClientRect().bottom - 1;
          return isCovered ? (focus.textContent ?? '') : '';
        });
        if (seen === null) break;
        stops += 1;
        if (seen !== '') covered.push(seen);
      }
      expect([covered, stops > 30]).toEqual([[], true]);
      await context.close();
    });
});
