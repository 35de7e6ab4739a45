import type { Page } from '@playwright/test';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { LANGUAGES, type Language } from '@/i18n/locales';
import { sendAll } from '@/tests/harness/make-payment';
import { payParts } from '@/tests/harness/pay-parts';
import { freshReceipt, makePair, pay } from '@/tests/harness/use-service';
import { beginLastWeek, fits, visit } from './harness/open-page';
import { expect, test } from './harness/site';
import { beginning, textsIn } from './harness/texts-in';

/** Labels of the maximum length, without a place to break them. */
const LONGEST = { serviceType: 'W'.repeat(64), invoiceId: 'W'.repeat(64) };

/** Connects the test wallet on a page of any language. */
async function connectIn(
  page: Page,
  t: (path: string) => string,
  label = t('wallet.connect'),
): Promise<void> {
  await page.getByRole('button', { name: label }).first().click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await page
    .getByRole('button', { name: t('wallet.disconnect') })
    .first()
    .waitFor();
}

/** Pages on a phone and on a wide screen, in every language and state. */
test.describe('narrow pages', () => {
  test('hold large amounts and long labels, in drafts and on receipts', async ({ site }) => {
    const { service } = site;
    const [rich, shop] = [makeWallet(), makeWallet()];
    const wish = { wallet: rich.address, sol: 1_400, token: 'USDC', amount: '200000' };
    await fundWallet(service.rpcUrl, wish);
    const sendSol = (lamports: bigint) =>
      sendAll(
        service,
        [
          SystemProgram.transfer({
            fromPubkey: rich.keypair.publicKey,
            toPubkey: new PublicKey(shop.address),
            lamports,
          }),
        ],
        [rich],
      );
    const payments = [
      ['1.234567891', await sendSol(1_234_567_891n)],
      ['1,234.123456789', await sendSol(1_234_123_456_789n)],
      [
        '123,456.789012',
        await payParts(service, rich, [{ token: 'USDC', to: shop, amount: 123_456_789_012n }]),
      ],
    ] as const;
    const { page, context } = await visit(site, '/', { phone: true });
    for (const [amount, signature] of payments) {
      await page.goto(`/?tx=${signature}`);
      await page.getByText(amount).first().waitFor();
      await fits(page, `draft of ${amount}`);
    }
    // In the list of a wallet's payments, beside a badge.
    await page.goto('/');
    await page.getByLabel('Which payment?').fill(rich.address);
    await page.getByText('1,234.123456789').first().waitFor();
    await fits(page, 'recent payments');
    const { id } = await freshReceipt(service);
    for (const [amount, amountRaw, decimals, token] of [
      ['1.234567891', 1_234_567_891n, 9, 'SOL'],
      ['1,234.123456789', 1_234_123_456_789n, 9, 'SOL'],
      ['123,456.789012', 123_456_789_012n, 6, 'USDC'],
      ['9,007,199,254.740993001', 9_007_199_254_740_993_001n, 9, 'SOL'],
    ] as const) {
      await service.prisma.receipt.update({
        where: { id },
        data: { amountRaw, decimals, token, ...LONGEST },
      });
      await page.goto(`/r/${id}`);
      await page.getByText(amount).first().waitFor();
      await fits(page, `receipt of ${amount}`);
    }
    await context.close();
  });

  for (const language of LANGUAGES)
    test(`hold every step of a receipt in ${language}`, async ({ site }) => {
      const t = textsIn(language);
      const { payer, seller } = await makePair(site.service);
      const amount = 2_000_000n;
      const signature = await pay(site.service, { from: payer, to: seller, amount });
      const { page, behaviour, context } = await visit(site, `/?tx=${signature}`, {
        wallet: payer,
        language,
      });
      await page.getByText(signature.slice(0, 4)).first().waitFor();
      await page
        .getByRole('button', { name: beginning(t('wallet.connect')) })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
      await page.getByRole('button', { name: 'Test Wallet' }).waitFor();
      await fits(page, 'wallet dialog');
      await page.keyboard.press('Escape');
      await connectIn(page, t);
      const create = page.getByRole('button', { name: beginning(t('create.create')) });
      await create.waitFor();
      await fits(page, 'draft');
      await page.getByLabel(t('create.label.for')).fill(LONGEST.serviceType);
      behaviour.rejects = 'message';
      await create.click();
      await page.getByText(t('order.failure.rejectedProof.title')).waitFor();
      await fits(page, 'failure');
      behaviour.rejects = 'nothing';
      behaviour.ignores = 'message';
      await create.click();
      await page.getByRole('button', { name: t('wallet.stop') }).waitFor();
      await fits(page, 'progress');
      await leavesTheFooter(page);
      behaviour.ignores = 'nothing';
      await page.getByRole('heading', { name: t('create.progress.ready') }).waitFor();
      await fits(page, 'receipt made');
      await context.close();
    });

  for (const language of LANGUAGES)
    test(`hold the order of a statement in ${language}`, async ({ site }) => {
      const t = textsIn(language);
      const { payer, behaviour, page, context } = await statementPage(site, language);
      const preview = page.getByRole('button', { name: t('statement.form.preview') });
      await expect(preview).toHaveAccessibleDescription(t('statement.form.connectFirst'));
      await fits(page, 'without a wallet');
      await connectIn(page, t, t('statement.form.connect'));
      await expect(preview).toHaveAccessibleDescription('');
      await beginLastWeek(page, t('statement.form.first'));
      await preview.click();
      const make = page.getByRole('button', { name: beginning(t('statement.form.make')) });
      await make.waitFor();
      await fits(page, `preview for ${payer.address}`);
      behaviour.ignores = 'transaction';
      await make.click();
      await page.getByRole('button', { name: t('wallet.stop') }).waitFor();
      await fits(page, 'progress');
      behaviour.rejects = 'transaction';
      behaviour.ignores = 'nothing';
      await page.getByText(t('order.failure.rejectedPayment.title')).waitFor();
      await fits(page, 'failure');
      await context.close();
    });

  test('have all links of the header on one line and in view, in every language', async ({
    site,
  }) => {
    for (const language of LANGUAGES) {
      const { page, context } = await visit(site, '/terms', { language });
      await page.setViewportSize({ width: 320, height: 640 });
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const links = await page.getByRole('banner').getByRole('navigation').getByRole('link').all();
      const boxes = await Promise.all(links.map((link) => link.boundingBox()));
      expect([language, links.length]).toEqual([language, 4]);
      expect(new Set(boxes.map((box) => box?.y)).size, language).toBe(1);
      for (const box of boxes) expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
      await context.close();
    }
  });

  test('have two halves side by side on a wide screen, and one below the other on a phone', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { id } = await freshReceipt(service);
    const { page, context } = await visit(site, `/?tx=${signature}`);
    for (const [path, first, second] of [
      [`/?tx=${signature}`, page.getByText('Paid by'), page.getByLabel('What was it for?')],
      [`/r/${id}`, page.getByText('Paid by'), page.getByRole('heading', { name: /^Verdict/ })],
    ] as const) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(path);
      await second.waitFor();
      const [left, right] = [await first.boundingBox(), await second.boundingBox()];
      expect([path, (left?.x ?? 640) < 640, (right?.x ?? 0) > 640]).toEqual([path, true, true]);
      await page.setViewportSize({ width: 390, height: 844 });
      const [upper, lower] = [await first.boundingBox(), await second.boundingBox()];
      expect([path, Math.abs((upper?.y ?? 0) - (lower?.y ?? 0)) > 40]).toEqual([path, true]);
      expect((lower?.x ?? 390) < 100).toBe(true);
    }
    await context.close();
  });
});

type Opened = Awaited<ReturnType<typeof visit>> & { payer: Wallet };

async function statementPage(
  site: Parameters<typeof visit>[0],
  language: Language,
): Promise<Opened> {
  const { payer, seller } = await makePair(site.service);
  await pay(site.service, { from: payer, to: seller, amount: 250_000n });
  const opened = await visit(site, '/statements', { wallet: payer, language });
  return { ...opened, payer };
}

/** Scrolled to the end, the bar that waits for a wallet covers no link of the footer. */
async function leavesTheFooter(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const covered = async () => {
    const footer = await page.getByRole('contentinfo').boundingBox();
    const note = await page.locator('[role=status] button').boundingBox();
    return (footer?.y ?? 0) + (footer?.height ?? 0) - (note?.y ?? 0);
  };
  await expect.poll(covered).toBeLessThanOrEqual(0);
}
