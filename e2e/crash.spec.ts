import type { BrowserContext, Page } from '@playwright/test';
import { THEME_COOKIE } from '@/components/theme';
import { LANGUAGE_COOKIE, LANGUAGES, type Language } from '@/i18n/locales';
import de from '@/messages/de/crash.json' with { type: 'json' };
import en from '@/messages/en/crash.json' with { type: 'json' };
import es from '@/messages/es/crash.json' with { type: 'json' };
import ja from '@/messages/ja/crash.json' with { type: 'json' };
import frameDe from '@/messages/de/frame.json' with { type: 'json' };
import frameJa from '@/messages/ja/frame.json' with { type: 'json' };
import { loseCode } from './harness/lose-code';
import { overflow, violations, visit } from './harness/open-page';
import { focused } from './harness/read-aloud';
import { expect, test } from './harness/site';

const TEXTS: Record<Language, typeof en> = { en, de, es, ja };

/** Pages whose code fails, or does not arrive whole. */
test.describe('a page that lacks its code', () => {
  test('says in the language of the reader that its frame failed, and leads on', async ({
    site,
  }) => {
    const { page, context } = await visit(site, '/terms', { phone: true });
    for (const language of LANGUAGES) {
      const theme = language === 'de' || language === 'ja' ? 'dark' : 'light';
      await choose(context, page, { [LANGUAGE_COOKIE]: language, [THEME_COOKIE]: theme });
      const breaking = await page.addInitScript(() => {
        // The frame of every page watches where the focus goes.
        Reflect.set(window, 'MutationObserver', null);
      });
      await page.goto('/terms');
      const words = TEXTS[language];
      await page.getByRole('heading', { name: words.title, exact: true }).waitFor();
      await expect.poll(() => focused(page)).toBe(`heading | ${words.title}`);
      expect(await page.title()).toBe(`${words.title} · Quittance`);
      await page.locator(`html[lang="${language}"][dir="ltr"][data-theme="${theme}"]`).waitFor();
      await page.getByText(words.kept, { exact: true }).waitFor();
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(paper).toBe(theme === 'dark' ? 'rgb(16, 18, 22)' : 'rgb(250, 250, 247)');
      expect([language, await violations(page), await overflow(page)]).toEqual([language, [], 0]);
      await breaking.dispose();
      await page.getByRole('button', { name: words.reload }).click();
      await page.locator('#content h1').waitFor();
      expect(new URL(page.url()).pathname).toBe('/terms');
    }
    await context.close();
  });

  test('says so where the code of its frame does not arrive, and comes to life once it does', async ({
    site,
  }) => {
    const { page, context } = await visit(site, '/terms', { phone: true, dark: true });
    for (const [language, { lost: said }] of [
      ['de', frameDe],
      ['ja', frameJa],
    ] as const) {
      await choose(context, page, { [LANGUAGE_COOKIE]: language });
      const giveBack = await loseCode(context, 'needs the WalletHost');
      await page.goto('/?tx=3');
      const words = TEXTS[language];
      const lost = page.getByRole('alert').filter({ hasText: said.text });
      await lost.getByText(said.title).waitFor();
      expect([language, await violations(page), await overflow(page)]).toEqual([language, [], 0]);
      await giveBack();
      await lost.getByRole('link', { name: words.reload }).click();
      await page.locator('#lost-code').waitFor({ state: 'detached' });
      expect(await page.getByText(said.title).count()).toBe(0);
      expect(new URL(page.url()).search).toBe('?tx=3');
    }
    await context.close();
  });

  test('stays as it is where the wallets did not load, and loads them at the next try', async ({
    site,
  }) => {
    const { page, asked, context } = await visit(site, '/');
    const giveBack = await loseCode(context, 'solana-wallet:');
    await page.getByLabel('Which payment?').fill('3');
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByText('The wallets did not load').waitFor();
    expect(await focused(page)).toContain('group | No wallet is connected | The wallets did not');
    expect(await violations(page)).toEqual([]);
    await giveBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).waitFor();
    expect(await page.getByLabel('Which payment?').inputValue()).toBe('3');
    expect(asked).toEqual(['connection']);
    await context.close();
  });
});

async function choose(
  context: BrowserContext,
  page: Page,
  cookies: Record<string, string>,
): Promise<void> {
  const url = new URL('/', page.url()).href;
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
}
