import { makePair, pay } from '@/tests/harness/use-service';
import { connect, violations, visit } from './harness/open-page';
import { focused } from './harness/read-aloud';
import { expect, test } from './harness/site';

const DONE = { name: 'Your receipt is ready' };

/** Links that a mail changed, calls that hang, and refusals that stay. */
test.describe('the limits of the create page', () => {
  test('a link finds its payment with a full stop, a space or an address of an explorer in it', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, '/');
    const explorer = encodeURIComponent(`https://explorer.solana.com/tx/${tx}?cluster=devnet`);
    for (const given of [`${tx}.`, `%20${tx}`, explorer]) {
      await page.goto(`/?tx=${given}&for=Coffee`);
      await page.getByLabel('What was it for?').waitFor();
      await expect(page.getByLabel('What was it for?')).toHaveValue('Coffee');
      await expect(page.getByLabel('Which payment?')).toHaveValue(tx);
    }
    await context.close();
  });

  test('a check of words that hangs does not stop the order, and an order that hangs says so', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, asked, context } = await visit(site, `/?tx=${tx}&for=Coffee`, { wallet: payer });
    await connect(page);
    // Requests without an answer.
    await context.route(/web\.words|receipts\.create/, () => undefined);
    await page.getByRole('button', { name: 'Create receipt, free' }).click();
    await expect.poll(() => asked).toContain('message');
    await expect
      .poll(() => focused(page), { timeout: 90_000 })
      .toContain('group | The service did not answer in time');
    expect(await page.getByText('No money moved').count()).toBe(0);
    await context.unroute(/web\.words|receipts\.create/);
    await page.getByRole('button', { name: 'Create receipt, free' }).click();
    await page.getByRole('heading', DONE).waitFor();
    // The proof is still there.
    expect(asked).toEqual(['connection', 'message']);
    await context.close();
  });

  test('a refusal that stays has no "Try again", unlike a payment that may still be confirmed', async ({
    site,
  }) => {
    const { service } = site;
    const { payer } = await makePair(service);
    const own = await pay(service, { from: payer, to: payer, amount: 250_000n });
    const { page, context } = await visit(site, `/?tx=${own}`);
    await page.getByText('This payment cannot have a receipt').first().waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByLabel('Which payment?').fill('5'.repeat(87));
    await page.getByText('We couldn’t find this transaction').first().waitFor();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1);
    await context.close();
  });

  test('a payment that bought nothing is explained, with the way to use it or to get it back', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
    const { page, context } = await visit(site, `/?tx=${tx}&for=Coffee`, { wallet: payer });
    await connect(page);
    // Like the answer to a request that came second.
    await context.route(/web\.resume/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"payment_used":true', '"payment_used":false');
      await route.fulfill({ response, body });
    });
    await page.getByRole('button', { name: /^Create receipt/ }).click();
    await page.getByText('perhaps your own in another tab').first().waitFor();
    const way = page.getByRole('link', { name: 'How to use it' });
    expect(await way.getAttribute('href')).toBe('/docs#paying');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'nobody@test-service.invalid' }).first().waitFor();
    await context.close();
  });
});
