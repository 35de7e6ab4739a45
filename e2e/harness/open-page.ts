import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { LANGUAGE_COOKIE, type Language } from '@/i18n/locales';
import type { TestService } from '@/tests/harness/start-service';
import { installWallet, type Behaviour, type TestWallet } from './test-wallet';

export type Site = { service: TestService; browser: Browser };

export type Visit = TestWallet & {
  page: Page;
  context: BrowserContext;
  /** What the browser's console and the page complained about. */
  complaints: string[];
};

/** A fresh browser profile with a wallet in it, on a page of the site. */
export async function visit(
  { service, browser }: Site,
  path: string,
  o: {
    wallet?: Wallet;
    behaviour?: Partial<Behaviour>;
    phone?: boolean;
    dark?: boolean;
    /** A phone that is operated by touch, with this browser and no wallet in it. */
    touch?: string;
  } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: service.baseUrl,
    viewport: o.phone ? { width: 390, height: 844 } : { width: 1200, height: 900 },
    colorScheme: o.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...(o.touch !== undefined && { hasTouch: true, isMobile: true, userAgent: o.touch }),
  });
  context.setDefaultTimeout(60_000);
  const installed = await installWallet(context, {
    wallet: o.wallet ?? makeWallet(),
    rpcUrl: service.rpcUrl,
    isHidden: o.touch !== undefined,
    ...(o.behaviour && { behaviour: o.behaviour }),
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(path);
  return { ...installed, page, context, complaints };
}

/** Connects the test wallet through the dialog, as a person does. */
export async function connect(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Connect (the )?wallet/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).first().waitFor();
}

/** Goes from the empty page to the press of the button for a payment. */
export async function askFor(page: Page, txSignature: string): Promise<void> {
  await page.getByLabel('Which payment?').fill(txSignature);
  await page.getByLabel('What was it for?').fill('API access, March');
  await page.getByRole('button', { name: /^Create receipt/ }).click();
}

/**
 * What axe finds on the page as it is, one line for each violation. With `colours`, of these alone: all
 * that a page which was looked at in one theme can have wrong in the other.
 */
export async function violations(page: Page, o: { colours?: boolean } = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (o.colours === true) axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations: found } = await axe.analyze();
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** Opens the page again in a language, as for a reader who chose it with the switch. */
export async function reopenIn(page: Page, language: Language): Promise<void> {
  const url = new URL('/', page.url()).href;
  await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url }]);
  await page.reload();
  await page.locator(`html[lang|="${language}"]`).waitFor();
}

/** Pixels by which the page is wider than its window, or what an open dialog holds than the dialog. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    // The body is as wide as the window without the room that is kept for its scroll bar.
    const { width } = document.body.getBoundingClientRect();
    const dialogs = [...document.querySelectorAll('dialog[open]')];
    return Math.max(
      Math.round(document.documentElement.scrollWidth - width),
      ...dialogs.map((dialog) => dialog.scrollWidth - dialog.clientWidth),
    );
  });
}

/** The colour in which the words of an element are. */
export function colourOf(element: Locator): Promise<string> {
  return element.evaluate((shown) => getComputedStyle(shown).color);
}
