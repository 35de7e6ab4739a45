import order from '@/messages/en/order.json' with { type: 'json' };
import { makePair, pay } from '@/tests/harness/use-service';
import { awaitFinal } from '@/tests/harness/use-statements';
import type { Page } from '@playwright/test';
import { beginLastWeek, connect, holdPayment, visit, type Site } from './harness/open-page';
import { expect, test } from './harness/site';

const MAKE = /^Make the statement/;

/** The page of statements with the offer for one payment of a connected wallet. */
async function openOffer(site: Site, o: Parameters<typeof visit>[2] = {}) {
  const { service } = site;
  const { payer, seller } = await makePair(service);
  const tx = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
  await awaitFinal(service, [tx]);
  const visited = await visit(site, '/statements', { wallet: payer, ...o });
  const { page } = visited;
  await connect(page);
  await beginLastWeek(page);
  await page.getByRole('button', { name: 'Preview and get price' }).click();
  await page.getByRole('button', { name: MAKE }).waitFor();
  const countPayments = () => service.prisma.payment.count({ where: { payer: payer.address } });
  return { ...visited, countPayments };
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click();
  await page.waitForURL(/dashboard/);
}

/** A link of the site, which keeps the tab's code running, unlike a typed address. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: name }).waitFor();
}

/** A reader who leaves the page of statements while one is paid for. */
test.describe('a statement that is paid for while its tab shows another page', () => {
  test('still waits for the wallet when the reader is back', async ({ site }) => {
    const { page, asked, behaviour, context, countPayments } = await openOffer(site);
    await holdPayment({ page, asked, behaviour }, MAKE);
    await leave(page);
    await goTo(page, 'Statements');
    const steps = page.getByRole('list', { name: 'Progress of the statement' });
    await steps.getByText('Approve the payment in your wallet').waitFor();
    expect(await page.getByText('in another tab').count()).toBe(0);
    behaviour.ignores = 'nothing';
    await page.getByRole('heading', { name: /^Statement STMT/ }).waitFor();
    expect(asked).toEqual(['connection', 'transaction']);
    expect(await countPayments()).toBe(1);
    await context.close();
  });

  test('takes no reader away from another page, and opens when they are back', async ({ site }) => {
    const { page, asked, context, countPayments } = await openOffer(site);
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/web\.resume/, async (route) => {
      await mayAnswer;
      await route.continue();
    });
    const bought = page.waitForResponse(
      async (response) =>
        /web\.resume/.test(response.url()) && (await response.text()).includes('"bought"'),
    );
    await page.getByRole('button', { name: MAKE }).click();
    const steps = page.getByRole('list', { name: 'Progress of the statement' });
    await steps.getByText('Confirm the payment and write the statement').waitFor();
    await expect.poll(() => asked).toEqual(['connection', 'transaction']);
    await leave(page);
    answer();
    await bought;
    // The page would change within this time.
    await page.waitForTimeout(1_000);
    expect(page.url()).toContain('/dashboard');
    await page.getByRole('link', { name: 'Statements', exact: true }).first().click();
    await page.getByRole('heading', { name: /^Statement STMT/ }).waitFor();
    expect(await countPayments()).toBe(1);
    await context.close();
  });

  test('says what failed meanwhile when the reader is back', async ({ site }) => {
    const { page, asked, behaviour, context } = await openOffer(site);
    await holdPayment({ page, asked, behaviour }, MAKE);
    await leave(page);
    behaviour.rejects = 'transaction';
    behaviour.ignores = 'nothing';
    // The wallet answers within this time.
    await page.waitForTimeout(2_000);
    await goTo(page, 'Statements');
    await page.getByText(order.failure.rejectedPayment.title).first().waitFor();
    expect(await page.evaluate(() => localStorage.getItem('quittance-statement'))).toBeNull();
    await context.close();
  });

  test('is not paid for again while a wallet that sends by its own means may still pay', async ({
    site,
  }) => {
    const { page, asked, behaviour, context, countPayments } = await openOffer(site, {
      behaviour: { sendsItself: true },
    });
    await holdPayment({ page, asked, behaviour }, MAKE);
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await page.getByText(order.failure.stopped.title).first().waitFor();
    // The wallet is not asked again, because it may still send the first payment.
    await page.getByRole('button', { name: MAKE }).click();
    const steps = page.getByRole('list', { name: 'Progress of the statement' });
    await steps.getByText('Confirm the payment and write the statement').waitFor();
    behaviour.ignores = 'nothing';
    await page.getByRole('heading', { name: /^Statement STMT/ }).waitFor();
    expect(asked).toEqual(['connection', 'transaction']);
    expect(await countPayments()).toBe(1);
    await context.close();
  });
});
