import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { LANGUAGE_COOKIE, type Language } from '@/i18n/locales';
import { addDays, dayOf } from '@/server/clock';
import type { TestService } from '@/tests/harness/start-service';
import { installWallet, type Behaviour, type TestWallet } from './test-wallet';

export type Site = { service: TestService; browser: Browser };

export type Visit = TestWallet & {
  page: Page;
  context: BrowserContext;
  /** Complaints of the browser's console and the page. */
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
    /** A touch-only phone with this browser and no wallet in it. */
    touch?: string;
    /** The browser's language and time zone. */
    locale?: string;
    timezoneId?: string;
    /** The language of the pages, as if the reader chose it with the switch. */
    language?: Language;
  } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: service.baseUrl,
    viewport: o.phone ? { width: 390, height: 844 } : { width: 1200, height: 900 },
    colorScheme: o.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...(o.locale !== undefined && { locale: o.locale }),
    ...(o.timezoneId !== undefined && { timezoneId: o.timezoneId }),
    ...(o.touch !== undefined && { hasTouch: true, isMobile: true, userAgent: o.touch }),
  });
  context.setDefaultTimeout(60_000);
  if (o.language !== undefined)
    await context.addCookies([{ name: LANGUAGE_COOKIE, value: o.language, url: service.baseUrl }]);
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

/** Connects the test wallet through the dialog, like a person. */
export async function connect(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Connect (the )?wallet/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).first().waitFor();
}

/** Connects the test wallet and signs in, like a person. */
export async function signInHere(page: Page): Promise<void> {
  await connect(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as').first().waitFor();
}

/**
 * Has a statement begin a week ago. By default it begins with the month, and a payment of a moment ago
 * may be of the month before.
 */
export async function beginLastWeek(page: Page, label = 'First day'): Promise<void> {
  await page.getByLabel(label).fill(addDays(dayOf(new Date()), -7));
}

/**
 * Presses a button whose work asks the wallet for a payment, and waits until it is asked. The wallet
 * does not answer until `behaviour.ignores` changes.
 */
export async function holdPayment(
  { page, asked, behaviour }: Pick<Visit, 'page' | 'asked' | 'behaviour'>,
  button = /^Create receipt/,
): Promise<void> {
  behaviour.ignores = 'transaction';
  await page.getByRole('button', { name: button }).click();
  await expect.poll(() => asked).toContain('transaction');
}

/** Goes from the empty page to the press of the button for a payment. */
export async function askFor(page: Page, txSignature: string): Promise<void> {
  await page.getByLabel('Which payment?').fill(txSignature);
  await page.getByLabel('What was it for?').fill('API access, March');
  await page.getByRole('button', { name: /^Create receipt/ }).click();
}

/**
 * axe's findings on the page, one line for each violation. With `colours`, only colours: on a page
 * that was checked in one theme, only they can differ in the other.
 */
export async function violations(page: Page, o: { colours?: boolean } = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (o.colours === true) axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations: found } = await axe.analyze();
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** Opens the page again in a language, like for a reader who chose it with the switch. */
export async function reopenIn(page: Page, language: Language): Promise<void> {
  const url = new URL('/', page.url()).href;
  await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url }]);
  await page.reload();
  await page.locator(`html[lang|="${language}"]`).waitFor();
}

/**
 * Pixels by which the page is wider than its window, or the content of a menu, a tab list or an
 * open dialog wider than its frame. Content that scrolls there is hidden.
 */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    // The body is as wide as the window without the space for its scroll bar.
    const { width } = document.body.getBoundingClientRect();
    const frames = [...document.querySelectorAll('nav, [role=tablist], dialog[open]')];
    return Math.max(
      Math.round(document.documentElement.scrollWidth - width),
      ...frames.map((frame) => frame.scrollWidth - frame.clientWidth),
    );
  });
}

/**
 * Links and buttons in table rows that are partly or completely outside the frame of their table.
 */
function cutActions(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('tbody :is(a, button)')].flatMap((action) => {
      const frame = action.closest('[role=region]')?.getBoundingClientRect();
      const box = action.getBoundingClientRect();
      if (!frame || box.width === 0) return [];
      const isCut = box.right > frame.right + 1 || box.left < frame.left - 1;
      return isCut ? [action.getAttribute('aria-label') ?? action.textContent ?? ''] : [];
    }),
  );
}

/** The tables on a phone whose rows are partly outside of their frame. */
function wideTables(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=region]:has(> table)')].flatMap((frame) =>
      frame.scrollWidth > frame.clientWidth + 1 ? [frame.getAttribute('aria-label') ?? ''] : [],
    ),
  );
}

/**
 * At each width, nothing is wider than the window, and all actions of rows are in view. On a phone,
 * no table scrolls sideways. `what` names the page's state in a failure.
 */
export async function fits(page: Page, what: string): Promise<void> {
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const wide = width < 600 ? await wideTables(page) : [];
    const seen = [what, width, await overflow(page), await cutActions(page), wide];
    expect(seen).toEqual([what, width, 0, [], []]);
  }
}
