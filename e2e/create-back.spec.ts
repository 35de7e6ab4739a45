import type { Route } from '@playwright/test';
import { makePair, pay } from '@/tests/harness/use-service';
import { nameWallets } from './harness/name-wallets';
import { connect, holdPayment, violations, visit } from './harness/open-page';
import { focused, listen } from './harness/read-aloud';
import { expect, test } from './harness/site';

const DOLLARS = 1_000_000n;
const DONE = { name: 'Your receipt is ready' };
const UNDER_WAY = 'Your receipt is still being created';

/** The effect of "Back", a link to the page and a reload on a choice, its labels and an order. */
test.describe('the way back on the create page', () => {
  test('leads from an order to the choice, while the order goes on', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const free = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, asked, behaviour, context } = await visit(site, '/', { wallet: payer });
    const { heard } = await listen(page);
    await connect(page);
    await page.getByRole('button', { name: /^Paid to .*2\.00/ }).click();
    await page.getByLabel('What was it for?').fill('Audit');
    const create = page.getByRole('button', { name: /^Create receipt/ });
    await holdPayment({ page, asked, behaviour });
    await page.goBack();
    const field = page.getByLabel('Which payment?');
    await page.getByText(UNDER_WAY).first().waitFor();
    await expect(field).toHaveValue('');
    await expect(page).toHaveURL(`${service.baseUrl}/`);
    await expect.poll(heard).toContain(UNDER_WAY);
    await expect.poll(() => focused(page)).not.toBe('');
    expect(await violations(page)).toEqual([]);
    // A second order would ask the wallet while the first one does.
    await field.fill(free);
    await page.getByLabel('What was it for?').fill('Coffee');
    await expect(create).toBeDisabled();
    await page.getByRole('button', { name: 'Show progress' }).click();
    await page.getByRole('heading', { name: 'Creating your receipt' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('tx')).toBe(tx);
    behaviour.ignores = 'nothing';
    await page.getByRole('heading', DONE).waitFor();
    // A finished one leaves the page to the next.
    await page.getByRole('link', { name: 'Create', exact: true }).click();
    await page
      .getByText(/^Your receipt [0-9A-Z]{12} is written$/)
      .first()
      .waitFor();
    await field.fill(free);
    // The labels of one payment never show up at another one, because they become public.
    await page.getByLabel('What was it for?').waitFor();
    expect(await page.getByLabel('What was it for?').inputValue()).toBe('');
    await page.getByLabel('What was it for?').fill('Coffee');
    await create.click();
    await page.getByRole('heading', DONE).waitFor();
    expect(asked.filter((what) => what === 'transaction')).toHaveLength(1);
    await page.goBack();
    await page
      .getByText(/^Your receipt [0-9A-Z]{12} is written$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Open the receipt' }).click();
    await page.getByRole('heading', { name: /^Receipt [0-9A-Z]{12}$/ }).waitFor();
    await context.close();
  });

  test('stays on the site during an order that began at a link', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2n * DOLLARS });
    const { page, asked, behaviour, context } = await visit(site, `/?tx=${tx}&for=Audit`, {
      wallet: payer,
    });
    await connect(page);
    await holdPayment({ page, asked, behaviour });
    await page.goBack();
    await page.getByText(UNDER_WAY).first().waitFor();
    await expect(page).toHaveURL(`${service.baseUrl}/`);
    await page.goForward();
    await page.getByRole('heading', { name: 'Creating your receipt' }).waitFor();
    behaviour.ignores = 'nothing';
    await page.getByRole('heading', DONE).waitFor();
    await context.close();
  });

  test('finds what was typed after a reload', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, `/?tx=${tx}`);
    const entries = [
      ['What was it for?', 'Coffee & <cake>', 'for'],
      ['Invoice number', 'INV 7', 'invoice'],
      ['Kind of payment', 'sale', 'kind'],
    ] as const;
    for (const [label, text] of entries) await page.getByLabel(label).fill(text);
    const inAddress = () => {
      const { searchParams } = new URL(page.url());
      return entries.map(([, , name]) => searchParams.get(name));
    };
    await expect.poll(inAddress).toEqual(entries.map(([, text]) => text));
    await page.reload();
    for (const [label, text] of entries) await expect(page.getByLabel(label)).toHaveValue(text);
    const field = page.getByLabel('Which payment?');
    await field.fill(`„${payer.address}“`);
    await page.getByRole('button', { name: /^Paid to/ }).waitFor();
    await expect(page).toHaveURL(`${service.baseUrl}/?of=${payer.address}`);
    await nameWallets(context, payer.address);
    await field.fill('bob.sol');
    // The list of the wallet before may still be there.
    await page.getByText(payer.address, { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Paid to/ }).waitFor();
    await expect(page).toHaveURL(`${service.baseUrl}/?of=bob.sol`);
    await page.reload();
    await expect(field).toHaveValue('bob.sol');
    await page.getByRole('button', { name: /^Paid to/ }).click();
    await page.getByLabel('What was it for?').waitFor();
    await expect(page).toHaveURL(`${service.baseUrl}/?tx=${tx}`);
    await page.reload();
    await page.goBack();
    await page.getByRole('button', { name: /^Paid to/ }).waitFor();
    await expect(field).toHaveValue('bob.sol');
    // A link to another service of this kind gets its own answer.
    await field.fill('https://receipts.example.org/r/8K3M0Q9TZX1A');
    await page.getByText('leads to a document of receipts.example.org').first().waitFor();
    await field.fill(`${service.baseUrl}/receipt/8K3M0Q9TZX1A/image.png`);
    await page.getByText('This leads to receipt 8K3M0Q9TZX1A').first().waitFor();
    await context.close();
  });

  test('is not needed for a payment that becomes final: the page follows it and says so', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, '/');
    let isFinal = false;
    await context.route(/web\.preview/, async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      const open = body.replaceAll('"status":"settled"', '"status":"pending"');
      await route.fulfill({ response, body: isFinal ? body : open });
    });
    const { heard } = await listen(page);
    await page.getByLabel('Which payment?').fill(tx);
    await page.getByText('Not final yet').first().waitFor();
    await page.getByText('This page updates automatically').first().waitFor();
    await page.getByLabel('What was it for?').fill('Coffee');
    // A poll without an answer changes nothing on the page. The next one starts after that, and is
    // held until the page was looked at.
    let letPass = () => {};
    const passes = new Promise<void>((resolve) => (letPass = resolve));
    let isHeld = false;
    const hold = async (route: Route) => {
      isHeld = true;
      await passes;
      await route.fallback();
    };
    await context.route(/web\.preview/, hold, { times: 1 });
    const refuse = (route: Route) => route.fulfill({ status: 503, body: '' });
    // The page asks twice more before it gives up a poll.
    await context.route(/web\.preview/, refuse, { times: 3 });
    await expect.poll(() => isHeld).toBe(true);
    expect(await page.getByText('Not final yet').isVisible()).toBe(true);
    letPass();
    isFinal = true;
    await page.getByText('Verified on chain', { exact: true }).waitFor();
    await expect.poll(heard).toContain('The payment is final now. It is verified on chain.');
    await expect(page.getByText('This page updates automatically')).toHaveCount(0);
    await expect(page.getByLabel('What was it for?')).toHaveValue('Coffee');
    await context.close();
  });
});
