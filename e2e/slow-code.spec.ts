import type { Page } from '@playwright/test';
import { makePair, pay } from '@/tests/harness/use-service';
import { visit } from './harness/open-page';
import { expect, test } from './harness/site';

/** Pages whose code arrives after the reader has begun, as on a slow phone. */
test.describe('a page that waits for its code', () => {
  test('takes the payment that was pasted before', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, '/terms', { phone: true });
    const release = await holdCode(page);
    await page.goto('/', { waitUntil: 'commit' });
    const field = page.getByLabel('Which payment?');
    await field.fill(tx);
    await release();
    await page.getByText('0.25').first().waitFor();
    await expect(field).toHaveValue(tx);
    await expect.poll(() => new URL(page.url()).searchParams.get('tx')).toBe(tx);
    await context.close();
  });

  test('takes the days of a statement and the theme that were chosen before', async ({ site }) => {
    const { page, context } = await visit(site, '/terms', { phone: true });
    const release = await holdCode(page);
    await page.goto('/statements', { waitUntil: 'commit' });
    const first = page.getByLabel('First day');
    await first.fill('2026-01-31');
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await release();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(first).toHaveValue('2026-01-31');
    await context.close();
  });

  test('sends a request of the reference only when it can, with the line that was typed before', async ({
    site,
  }) => {
    const { page, context } = await visit(site, '/terms');
    const release = await holdCode(page);
    await page.goto('/docs', { waitUntil: 'commit' });
    const read = page.getByRole('form', { name: 'Try GET /receipt/{receipt_id}', exact: true });
    await read.getByLabel('receipt_id').fill('ZZZZZZZZZZZZ');
    const send = read.getByRole('button', { name: 'Send request' });
    await expect(send).toBeDisabled();
    await send.press('Enter');
    const body = page.getByRole('form', { name: 'Try POST /mint' }).getByLabel('Body');
    await expect(body).not.toBeEditable();
    await release();
    await expect(body).toBeEditable();
    expect(new URL(page.url()).search).toBe('');
    await send.click();
    await expect(read.getByRole('status')).toHaveText('Answer: 404');
    await context.close();
  });
});

/** Holds the code of pages back until the returned function is called. */
async function holdCode(page: Page): Promise<() => Promise<void>> {
  const scripts = /_next\/static\/chunks\/.*\.js/;
  let letPass = () => {};
  const passes = new Promise<void>((resolve) => (letPass = resolve));
  await page.route(scripts, async (route) => {
    await passes;
    await route.continue();
  });
  return async () => {
    letPass();
    await page.waitForLoadState('load');
  };
}
