import { makePair, mint, pay, freshReceipt, call } from '@/tests/harness/use-service';
import { LANGUAGES } from '@/i18n/locales';
import { utcText } from '@/components/ui/dates';
import { signInHere, visit } from './harness/open-page';
import { expect, test } from './harness/site';
import { textsIn } from './harness/texts-in';

const BERLIN = { locale: 'de-DE', timezoneId: 'Europe/Berlin' };

/** Numbers, dates and currencies in the reader's format. */
test.describe('the locale of the reader', () => {
  test('decides the currency and zone of a receipt, and a chosen currency stays', async ({
    site,
  }) => {
    const { payer, seller } = await makePair(site.service);
    const signature = await pay(site.service, { from: payer, to: seller, amount: 2_500_000n });
    const draft = await visit(site, `/?tx=${signature}`, BERLIN);
    await draft.page.getByText(/^\d,\d\d\s€ am \d{1,2}\. \S+ \d{4}$/).waitFor();
    await expect(draft.page.getByLabel('Wert in')).toHaveValue('DE');
    await draft.context.close();

    const { id } = await freshReceipt(site.service);
    const { body } = await call(site.service, `/receipt/${id}`);
    const time = String(body['block_time']);
    const { page, context, complaints } = await visit(site, `/r/${id}`, BERLIN);
    await page.getByText(/^\d,\d\d\s€ zum Kurs vom \d{1,2}\. \S+ \d{4}/).waitFor();
    // The reader's time with its zone, and UTC below it.
    const shown = () => page.locator(`time[datetime="${time}"]`).innerText();
    // Browsers differ in the words between a day and its time.
    const local = await page.evaluate((iso) => {
      const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
      const rest = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
      const zone = { timeZone: 'Europe/Berlin' };
      return new Intl.DateTimeFormat('de-DE', { ...day, ...rest, ...zone }).format(new Date(iso));
    }, time);
    await expect.poll(shown).toBe(`${local}\n${utcText(time, 'de', 'second')}`);
    const currency = page.getByLabel('Wert in');
    await currency.selectOption('JP');
    await page.getByText(/^\d+\s¥ zum Kurs vom/).waitFor();
    await page.reload();
    await page.getByText(/^\d+\s¥ zum Kurs vom/).waitFor();
    await currency.selectOption('US');
    await expect(page.getByText('zum Kurs vom')).toHaveCount(0);
    await page.goto(`/?tx=${signature}`);
    await page.getByText(/^2,50\s\$ am/).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('is that of the page when the browser asks for American English', async ({ site }) => {
    const { id } = await freshReceipt(site.service);
    const { page, context } = await visit(site, `/r/${id}`, { language: 'de' });
    await page.getByText(/^\d,\d\d\s€ zum Kurs vom/).waitFor();
    await context.close();
  });

  test('shows both times in the zone UTC, too, and dollars in their format', async ({ site }) => {
    const { id } = await freshReceipt(site.service);
    const { body } = await call(site.service, `/receipt/${id}`);
    const time = String(body['block_time']);
    const { page, context } = await visit(site, `/r/${id}`, { locale: 'en-GB', timezoneId: 'UTC' });
    // The reader's time appears once the scripts run.
    await expect
      .poll(() => page.locator(`time[datetime="${time}"]`).innerText())
      .toMatch(/^\d{1,2} \w+ \d{4}(?: at|,) \d\d:\d\d UTC\n\d{1,2} \w{3,4} \d{4}, [\d:]{8} UTC$/);
    const american = await visit(site, `/r/${id}`);
    await american.page.getByText(/^\$\d\.\d\d \(1 USDC = 1 USD\)$/).waitFor();
    await expect
      .poll(() => american.page.locator(`time[datetime="${time}"]`).innerText())
      .toMatch(/[AP]M \S+\n.* UTC$/);
    await context.close();
    await american.context.close();
  });

  test('writes days and months of the dashboard, its rows and its sums', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 123_456n });
    await mint(service, { signature, wallet: payer });
    const { page, context } = await visit(site, '/dashboard', {
      wallet: seller,
      language: 'en',
      locale: 'en-GB',
    });
    await signInHere(page);
    const sums = page.getByRole('region', { name: 'Received in this period' });
    // Pounds for a British reader, and dollars rounded to the cent with the exact value behind.
    await sums
      .getByText(/^£0\.\d\d$/)
      .first()
      .waitFor();
    await expect(sums.locator('data[value="0.123456 USD"]')).toHaveText('US$0.12');
    await sums.getByText('Show as a table').click();
    await expect
      .poll(() => sums.getByRole('row').nth(1).innerText())
      .toMatch(/^\w{3,4} \d{4}\s+£0\.\d\d$/);
    const rows = page.getByRole('table', { name: 'Payments received' });
    await expect(rows.getByRole('rowheader')).toHaveText(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d$/);
    // If the list of currencies fails to load, the current one is still named.
    await page.route(/web\.countries/, (route) => route.abort());
    await page.reload();
    await page.getByText('Other currencies did not load.').first().waitFor();
    const currency = page.getByLabel('Currency');
    await expect(currency.locator('option:checked')).toHaveText('USD');
    await page.unroute(/web\.countries/);
    // Calls travel together, so the totals failed as well.
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect.poll(() => currency.locator('option').count()).toBeGreaterThan(5);
    await context.close();
  });

  test('formats a page without its scripts, also one without a receipt', async ({ site }) => {
    for (const language of LANGUAGES)
      for (const [path, file] of [
        ['/r/000000000000', 'receipt'],
        ['/s/STMT00000000', 'statement'],
      ] as const) {
        const headers = { accept: 'text/html', 'accept-language': language };
        const answer = await fetch(new URL(path, site.service.baseUrl), { headers });
        const html = await answer.text();
        expect([path, language, answer.status]).toEqual([path, language, 404]);
        expect(html).toContain(`<html lang="${language}"`);
        expect(/<h1>(.*?)<\/h1>/.exec(html)?.[1]).toBe(textsIn(language)(`${file}.missing.title`));
        expect(html).toContain('noindex');
      }
  });

  test('keeps text of another direction apart from the text around it', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const words = 'قهوة 12';
    const { page, context } = await visit(site, `/?tx=${signature}`, { wallet: payer });
    const field = page.getByLabel('What was it for?');
    await expect(field).toHaveCSS('direction', 'ltr');
    await field.fill(words);
    await expect(field).toHaveCSS('direction', 'rtl');
    const { body } = await mint(service, {
      signature,
      wallet: payer,
      body: { service_type: words, invoice_id: 'INV-1' },
    });
    await page.goto(`/r/${String(body['receipt_id'])}`);
    for (const text of [words, 'INV-1'])
      await expect(page.locator('bdi', { hasText: text }), text).toHaveCount(1);
    await context.close();
  });
});
