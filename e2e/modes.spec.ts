import { LANGUAGES } from '@/i18n/locales';
import { makePair, mint, pay } from '@/tests/harness/use-service';
import { textsIn } from './harness/texts-in';
import { visit } from './harness/open-page';
import { expect, test } from './harness/site';

/** Browsers with settings that change how a page works or looks. */
test.describe('a browser', () => {
  test('without JavaScript shows the facts, and says that nothing is checked', async ({ site }) => {
    const { service, browser } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { body } = await mint(service, { signature, wallet: payer });
    const id = String(body['receipt_id']);
    for (const locale of LANGUAGES) {
      const context = await browser.newContext({
        baseURL: service.baseUrl,
        locale,
        javaScriptEnabled: false,
      });
      const page = await context.newPage();
      const t = textsIn(locale);
      for (const path of [`/r/${id}`, '/', '/statements', '/dashboard']) {
        await page.goto(path);
        const notice = page.locator('main noscript');
        expect([path, locale, await notice.isVisible()]).toEqual([path, locale, true]);
        expect(await notice.innerText()).toContain(t('frame.noScript.text'));
      }
      await page.goto(`/r/${id}`);
      await expect(page.getByText(id).first()).toBeVisible();
      expect(await page.getByText(t('proof.verdict.checking.text')).isVisible()).toBe(false);
      await page.goto('/terms');
      expect(await page.locator('main noscript').count()).toBe(0);
      await context.close();
    }
  });

  test('with forced colours underlines the current page alone', async ({ site }) => {
    const { page, context } = await visit(site, '/docs', { dark: true });
    await page.emulateMedia({ forcedColors: 'active' });
    const lines = await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link')
      .evaluateAll((links) =>
        links.map((link) => {
          const { borderBottomColor: line } = getComputedStyle(link);
          return line === getComputedStyle(document.body).backgroundColor ? 'none' : 'line';
        }),
      );
    expect(lines).toEqual(['none', 'none', 'none', 'line']);
    await context.close();
  });
});
