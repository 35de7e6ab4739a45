import { makeWallet } from '@/devnet/client/wallet';
import { LANGUAGES } from '@/i18n/locales';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { awaitFinal, buy } from '@/tests/harness/use-statements';
import { makePair, pay } from '@/tests/harness/use-service';
import { fits, reopenIn, signInHere, visit } from './harness/open-page';
import { expect, test } from './harness/site';
import { textsIn } from './harness/texts-in';

/** Tables on a phone and on a wide screen, in every language. */
test.describe('narrow tables', () => {
  test('of the dashboard have all actions in view, on every tab', async ({ site }) => {
    const { prisma } = site.service;
    const seller = makeWallet();
    await fillReceipts(prisma, { wallet: seller.address, other: makeWallet().address, count: 6 });
    const mine = { OR: [{ seller: seller.address }, { payer: seller.address }] };
    await prisma.receipt.updateMany({
      where: mine,
      data: { blockTime: new Date(), serviceType: 'W'.repeat(64), invoiceId: 'W'.repeat(64) },
    });
    const { id } = await prisma.receipt.findFirstOrThrow({ where: { seller: seller.address } });
    await prisma.mint.update({
      where: { id },
      data: {
        status: 'failed',
        lastError: 'storage: it answered 422, and said why in many words that go on',
        // No job may pick it up.
        redriveAt: new Date('2100-01-01T00:00:00Z'),
      },
    });
    const now = new Date();
    const sold = await prisma.receipt.findMany({ where: { seller: seller.address } });
    await prisma.payerJurisdiction.createMany({
      data: sold.map(({ id: receiptId, payer, usdMicros, blockTime }, at) => ({
        receiptId,
        seller: seller.address,
        payer,
        // Countries with long names.
        country: ['GS', 'IO', 'VC'][at] ?? null,
        method: 'ip_geolocation',
        databaseDate: now,
        recordedAt: now,
        usdMicros: (usdMicros ?? 0n) * 1_000_000n,
        blockTime,
      })),
    });
    await prisma.autoTransfer.create({
      data: {
        txSignature: '5'.repeat(88),
        state: 'fee_due',
        seller: seller.address,
        slot: 1,
        payer: makeWallet().address,
        mint: null,
        token: 'SOL',
        decimals: 9,
        amountRaw: 1_234_123_456_789n,
        usdMicros: 262_847_908_000n,
        blockTime: now,
        lookAt: now,
        createdAt: now,
        updatedAt: now,
      },
    });
    const { page, context } = await visit(site, '/dashboard', { wallet: seller });
    await signInHere(page);
    for (const language of LANGUAGES) {
      const t = textsIn(language);
      await reopenIn(page, language);
      await page.getByRole('link', { name: t('dashboard.attention.create') }).waitFor();
      for (const tab of ['seller', 'payer', 'automatic'] as const) {
        await page.getByRole('tab', { name: t(`dashboard.tabs.${tab}`) }).click();
        if (tab === 'seller')
          await page.getByRole('table', { name: t('dashboard.countries.caption') }).waitFor();
        if (tab === 'automatic') await page.getByLabel(t('dashboard.registration.name')).waitFor();
        else await page.getByText(t('dashboard.note.addShort'), { exact: true }).first().waitFor();
        await fits(page, `${tab} in ${language}`);
      }
      await page.getByRole('tab', { name: t('dashboard.tabs.seller') }).click();
      await page.getByRole('button', { name: t('ui.again'), exact: true }).waitFor();
      await fits(page, `failed in ${language}`);
    }
    await context.close();
  });

  test('of a statement have all actions in view, and still sort on a phone', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const paid = [
      await pay(service, { from: payer, to: seller, amount: 250_000n }),
      await pay(service, { from: payer, to: seller, amount: 1_234_567n }),
    ];
    await awaitFinal(service, paid);
    const { answer } = await buy(service, {
      from: payer,
      body: { wallet_address: payer.address, transactions: paid },
      headers: { prefer: 'wait=0' },
    });
    const { page, context } = await visit(site, `/s/${String(answer.body['statement_id'])}`);
    const rows = page.getByRole('table', { name: 'Payments of the statement' });
    await rows.waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await rows.getByRole('button', { name: 'USD' }).click();
    const usd = rows.locator('data');
    await expect(usd).toHaveText(['0.25', '1.23']);
    // Rounded to the cent like its neighbour, with the exact value on hover.
    await expect(usd.last()).toHaveAttribute('title', '1.234567 USD');
    await expect(rows.getByRole('columnheader')).toHaveCount(7);
    for (const language of LANGUAGES) {
      await reopenIn(page, language);
      await page.getByRole('table').first().waitFor();
      await fits(page, `statement in ${language}`);
    }
    await context.close();
  });
});
