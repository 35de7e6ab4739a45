import type { Page } from '@playwright/test';
import { awaitFinal } from '@/tests/harness/use-statements';
import { makePair, pay } from '@/tests/harness/use-service';
import {
  beginLastWeek,
  connect,
  holdPayment,
  violations,
  visit,
  type Visit,
} from './harness/open-page';
import { focused } from './harness/read-aloud';
import { expect, test } from './harness/site';

const DOLLARS = 1_000_000n;
const DONE = { name: 'Your receipt is ready' };
const THIS = 'This receipt is being created in another tab';
const ANY = 'A receipt is being created in another tab';
const STATEMENT = 'A statement is being paid for in another tab';

/** A second tab of the same browser, with its wallet connected. */
async function openTab({ context }: Visit, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await page.getByRole('button', { name: 'Disconnect' }).first().waitFor();
  return page;
}

const kept = (page: Page) => page.evaluate(() => localStorage.getItem('quittance-order'));

/** One browser with two tabs asks its wallet once for each thing, and no tab speaks for the other. */
test.describe('two tabs', () => {
  test('leave an order to the tab that runs it, and take it over once that one is closed', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const other = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const first = await visit(site, `/?tx=${tx}&for=Audit`, { wallet: payer });
    const { page, asked, behaviour, context } = first;
    await connect(page);
    await holdPayment({ page, asked, behaviour });
    const order = await kept(page);

    const second = await openTab(first, '/');
    await second.getByText(ANY).first().waitFor();
    expect(await second.getByText('No money moved').count()).toBe(0);
    expect(await kept(second)).toBe(order);
    await second.getByRole('button', { name: 'Check again' }).click();
    await expect.poll(() => focused(second)).toContain(`group | ${ANY}`);
    expect(await violations(second)).toEqual([]);
    // Another payment can be looked at. Two orders would ask the wallet at the same time.
    await second.getByLabel('Which payment?').fill(other);
    await second.getByLabel('What was it for?').fill('Coffee');
    await second.getByRole('button', { name: /^Create receipt/ }).click();
    await expect.poll(() => focused(second)).toContain(`group | ${ANY}`);
    expect(asked).toEqual(['connection', 'message', 'transaction']);
    expect(await kept(second)).toBe(order);

    // The browser ends the claim of a closed tab. Nothing was sent, so the words are true now.
    await page.close();
    const unsent = second.getByText('The page was closed before the payment was sent').first();
    // The browser may need a moment for that.
    await expect(async () => {
      await second.getByRole('button', { name: 'Check again' }).click({ timeout: 1_000 });
      await unsent.waitFor({ timeout: 10_000 });
    }).toPass({ timeout: 60_000 });
    behaviour.ignores = 'nothing';
    await second.getByLabel('Which payment?').fill(tx);
    await second.getByLabel('What was it for?').fill('Audit');
    await second.getByRole('button', { name: /^Create receipt/ }).click();
    await second.getByRole('heading', DONE).waitFor();
    expect(await service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
    await context.close();
  });

  test('pay for the receipt of one payment once', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const first = await visit(site, `/?tx=${tx}&for=Audit`, { wallet: payer });
    const { page, asked, behaviour, context } = first;
    await connect(page);
    const second = await openTab(first, `/?tx=${tx}&for=Audit`);
    await second.getByLabel('What was it for?').waitFor();
    await holdPayment({ page, asked, behaviour });
    await second.getByRole('button', { name: /^Create receipt/ }).click();
    await expect.poll(() => focused(second)).toContain(`group | ${THIS}`);
    expect(asked).toEqual(['connection', 'message', 'transaction']);
    behaviour.ignores = 'nothing';
    await page.getByRole('heading', DONE).waitFor();
    // The next press finds the receipt.
    await second.getByRole('button', { name: 'Check again' }).click();
    await expect(second.getByText(THIS)).toHaveCount(0);
    const create = second.getByRole('button', { name: /^Create receipt/ });
    const open = second.getByRole('link', { name: /^Open (the )?receipt/ }).first();
    await create.or(open).first().waitFor();
    // The button may go while it is pressed, once the page knows of the receipt.
    if (await create.isVisible()) await create.click({ timeout: 5_000 }).catch(() => undefined);
    await open.waitFor();
    expect(asked.filter((what) => what === 'transaction')).toHaveLength(1);
    expect(await service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
    await context.close();
  });

  test('pay for a statement once', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    await awaitFinal(service, [tx]);
    const first = await visit(site, '/statements', { wallet: payer });
    const { page, asked, behaviour, context } = first;
    await connect(page);
    const second = await openTab(first, '/statements');
    for (const tab of [page, second]) {
      await beginLastWeek(tab);
      await tab.getByRole('button', { name: 'Preview and get price' }).click();
      await tab.getByRole('button', { name: /^Make the statement/ }).waitFor();
    }
    await holdPayment({ page, asked, behaviour }, /^Make the statement/);
    await second.getByRole('button', { name: /^Make the statement/ }).click();
    await expect.poll(() => focused(second)).toContain(`group | ${STATEMENT}`);
    behaviour.ignores = 'nothing';
    await page.getByRole('heading', { name: /^Statement STMT/ }).waitFor();
    await second.getByRole('button', { name: 'Check again' }).click();
    await expect(second.getByText(STATEMENT)).toHaveCount(0);
    expect(asked).toEqual(['connection', 'transaction']);
    expect(await service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
    await context.close();
  });

  test('are not needed: an order goes on while its tab shows another page', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, asked, behaviour, context } = await visit(site, `/?tx=${tx}&for=Audit`, {
      wallet: payer,
    });
    await connect(page);
    await holdPayment({ page, asked, behaviour });
    await page.getByRole('link', { name: 'Statements', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Statements', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Create', exact: true }).click();
    await page.getByText('Your receipt is still being created').first().waitFor();
    expect(await page.getByText('No money moved').count()).toBe(0);
    behaviour.ignores = 'nothing';
    await page
      .getByText(/^Your receipt [0-9A-Z]{12} is written$/)
      .first()
      .waitFor();
    expect(asked).toEqual(['connection', 'message', 'transaction']);
    await context.close();
  });
});
