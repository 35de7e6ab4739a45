import type { Page } from '@playwright/test';
import { call, makePair, pay } from '@/tests/harness/use-service';
import { overflow, reopenIn, violations, visit } from './harness/open-page';
import { expect, test } from './harness/site';

const formOf = (page: Page, name: string) => page.getByRole('form', { name, exact: true });

/** The page of the API reference. */
test.describe('/docs', () => {
  test('copies a line, says so, and sends requests that show their answer', async ({ site }) => {
    const { service } = site;
    const { page, context, complaints } = await visit(site, '/docs');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: curl /pricing', exact: true }).click();
    await page.getByText('curl /pricing copied').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `curl -sS '${service.baseUrl}/pricing'`,
    );

    const version = formOf(page, 'Try GET /version');
    await version.getByRole('button', { name: 'Send request' }).click();
    await expect(version.getByRole('status')).toHaveText('Answer: 200');
    await expect(version.getByLabel('Answer of /version')).toContainText('"contract": 1');

    // The sample is a transaction of mainnet, which a chain for tests does not have.
    const verify = formOf(page, 'Try GET /verify/{tx_signature}');
    await expect(verify.getByLabel('tx_signature')).not.toHaveValue('');
    await verify.getByRole('button', { name: 'Send request' }).click();
    await expect(verify.getByRole('status')).toHaveText('Answer: 400');
    await expect(verify.getByLabel('Answer of')).toContainText('transaction_not_found');
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
    await context.close();
  });

  test('sends a body, and creates nothing without a payment and a signature', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
    const { page, context } = await visit(site, '/docs');
    const form = formOf(page, 'Try POST /mint');
    const body = form.getByLabel('Body');
    const sample: unknown = JSON.parse(await body.inputValue());
    expect(sample).toMatchObject({ service_type: 'API access' });
    const send = async (text: string) => {
      await body.fill(text);
      await form.getByRole('button', { name: 'Send request' }).click();
    };
    await send(JSON.stringify({ tx_signature: signature, service_type: 'API access' }));
    await expect(form.getByRole('status')).toHaveText('Answer: 402');
    await expect(form.getByLabel('Answer of /mint')).toContainText('"paymentRequirements"');
    await send('{}');
    await expect(form.getByLabel('Answer of /mint')).toContainText('"price_range"');
    await send('{');
    await expect(form.getByRole('status')).toHaveText('Answer: 400');
    const where = { txSignature: signature };
    expect(await service.prisma.receipt.count({ where })).toBe(0);
    await context.close();
  });

  test('an error answer leads to its entry, and is one key press away from its fields', async ({
    site,
  }) => {
    const { body } = await call(site.service, '/receipt/ZZZZZZZZZZZZ');
    const { page, context } = await visit(site, new URL(String(body['docs'])).href);
    const entry = page.locator('#error-receipt_not_found');
    await expect(entry).toBeInViewport();
    await expect(entry).toContainText('No receipt has this id.');

    // By keyboard alone: to an operation, into its fields, and out of a form.
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('link', { name: 'Read a receipt' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('#readReceipt')).toBeInViewport();
    const operation = page.locator('article', { has: page.locator('#readReceipt') });
    const fields = operation.locator('summary').first();
    await fields.focus();
    await page.keyboard.press('Enter');
    await expect(operation.getByText('Wallet that was paid.').first()).toBeVisible();
    const form = formOf(page, 'Try GET /receipt/{receipt_id}');
    await expect(form.getByLabel('receipt_id')).toBeEditable();
    await form.getByLabel('receipt_id').focus();
    await page.keyboard.type('ZZZZZZZZZZZZ');
    await page.keyboard.press('Enter');
    await expect(form.getByRole('status')).toHaveText('Answer: 404');
    await context.close();
  });

  test('opens without faults on a phone and at a desk, and unfolds without overflow', async ({
    site,
  }) => {
    for (const o of [{ phone: true }, { dark: true }]) {
      const { page, context } = await visit(site, '/docs', o);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await violations(page, { colours: 'dark' in o })).toEqual([]);
      await page.evaluate(() => {
        document.querySelectorAll('details').forEach((one) => (one.open = true));
        // Parts out of view are not laid out, and would fit whatever they hold.
        document
          .querySelectorAll<HTMLElement>('article, section')
          .forEach((one) => (one.style.contentVisibility = 'visible'));
      });
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      if ('phone' in o) {
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await overflow(page)).toBeLessThanOrEqual(0);
      }
      expect(await page.getByRole('contentinfo').innerText()).toContain(
        'Operator: Test service without an operator, nobody@test-service.invalid',
      );
      await context.close();
    }
  });

  test('an error on a page links to its entry, in the language of the reader', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const unknown = `${signature.slice(0, -4)}${signature.slice(-4) === '2222' ? '3333' : '2222'}`;
    const { page, context } = await visit(site, `/?tx=${unknown}`);
    const link = page.getByRole('link', { name: 'About this error' });
    const target = await link.getAttribute('href').catch(() => null);
    expect(target).toMatch(/^\/docs#error-[a-z_]+$/);
    await reopenIn(page, 'de');
    await page.getByRole('link', { name: 'Mehr zu diesem Fehler' }).waitFor();
    await context.close();
  });
});
