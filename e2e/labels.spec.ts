import type { Page } from '@playwright/test';
import { LABEL_RULES } from '@/server/receipts/label-rules';
import { makePair, mint, pay } from '@/tests/harness/use-service';
import { connect, overflow, reopenIn, signInHere, violations, visit } from './harness/open-page';
import { focused } from './harness/read-aloud';
import { expect, test } from './harness/site';
import { textsIn } from './harness/texts-in';

const FAMILY = '👨\u200d👩\u200d👧';
const PERSIAN = 'می\u200cخواهم';

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['LABEL_SHOTS'];
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** The element with the focus in words. Chromium puts spaces around an isolated text, which are left out here. */
async function focusedOn(page: Page): Promise<string> {
  return (await focused(page)).replaceAll(/(?<=[“«「]) | (?=[”»」])/g, '');
}

/** Labels that people type on a receipt, and the texts next to them. */
test.describe('labels', () => {
  for (const [language, given, code, found] of [
    ['en', 'see Phantom.app', 'domain', 'phantom.app'],
    ['de', 'x.de/y', 'link', ''],
    ['es', 'Reclama tu premio', 'prize', 'reclama tu premio'],
    ['ja', '😀'.repeat(65), 'too_long', ''],
  ] as const)
    test(`refused in ${language} before the wallet is asked, next to the field and with focus (${code})`, async ({
      site,
    }) => {
      const { payer, seller } = await makePair(site.service);
      const tx = await pay(site.service, { from: payer, to: seller, amount: 250_000n });
      const { page, asked, context } = await visit(site, `/?tx=${tx}`, {
        wallet: payer,
        phone: true,
        dark: language === 'es',
      });
      await connect(page);
      await reopenIn(page, language);
      const t = textsIn(language);
      const label = t('create.label.for');
      const purpose = page.getByLabel(label);
      await purpose.fill(given);
      // No text is cut during typing.
      await expect(purpose).toHaveValue(given);
      asked.length = 0;
      await page.getByRole('button', { name: t('create.createFree') }).click();
      const sentence = t(`labels.refused.${code}`)
        .replaceAll(/<\/?bdi>/g, '')
        .replace('{found}', found)
        .replace('{most}', '64')
        .replace('{length}', '65');
      await expect.poll(() => focusedOn(page)).toBe(`textbox | ${label} | ${sentence}`);
      expect(asked).toEqual([]);
      expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
      await shot(page, `refused-${language}`);
      await context.close();
    });

  test('of emoji and Persian are written whole, and a hint shows what is removed', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, `/?tx=${tx}`, { wallet: payer });
    await connect(page);
    const purpose = page.getByLabel('What was it for?');
    const invoice = page.getByLabel('Invoice number');
    await purpose.fill(`Rent\u200b ${FAMILY}`);
    await page.getByText(`Will be written as “Rent ${FAMILY}”`).waitFor();
    await shot(page, 'hint-1200');
    await page.setViewportSize({ width: 390, height: 844 });
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await shot(page, 'hint-390');
    await purpose.fill('😀'.repeat(40));
    await invoice.fill(`${PERSIAN} ${FAMILY}`);
    await expect(page.getByText(/^Will be written/)).toHaveCount(0);
    await page.getByRole('button', { name: 'Create receipt, free' }).click();
    await page.getByRole('heading', { name: 'Your receipt is ready' }).waitFor();
    const receipt = await service.prisma.receipt.findFirstOrThrow({ where: { txSignature: tx } });
    expect([receipt.serviceType, receipt.invoiceId]).toEqual([
      '😀'.repeat(40),
      `${PERSIAN} ${FAMILY}`,
    ]);
    await context.close();
  });

  test('of a registration and a note are refused by name, in the language of the page', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 420_000n });
    await mint(service, { signature, wallet: payer });
    const { page, asked, context } = await visit(site, '/dashboard', { wallet: seller });
    await signInHere(page);
    await page.getByRole('button', { name: /^Add a note/ }).click();
    const note = page.getByRole('textbox', { name: 'Your note' });
    await note.fill('@evil');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('Handles with @ and email addresses aren’t allowed here.')
      .first()
      .waitFor();
    await shot(page, 'note');
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Automatic receipts' }).click();
    asked.length = 0;
    await page.getByLabel('Business name').fill('Booking.com');
    await page.getByLabel('Purpose of payments').fill('Free mint');
    await page.getByRole('button', { name: 'Sign and turn on' }).click();
    await expect
      .poll(() => focusedOn(page))
      .toMatch(/^textbox \| Purpose of payments \| .* that say “free mint”/);
    expect(asked).toEqual([]);
    await shot(page, 'registration');
    await context.close();
  });

  test('have one rule, in the same words in terms and docs', async ({ site }) => {
    const { page, context } = await visit(site, '/terms');
    for (const path of ['/terms', '/docs']) {
      await page.goto(path);
      // Parts of /docs out of view are not laid out, and have no inner text.
      const shown = await page.locator('main').textContent();
      for (const { text } of LABEL_RULES) expect(shown).toContain(text.replaceAll('`', ''));
    }
    await context.close();
  });
});
