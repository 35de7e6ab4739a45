import { makeWallet } from '@/devnet/client/wallet';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { payParts } from '@/tests/harness/pay-parts';
import { runCron } from '@/tests/harness/use-dashboard';
import { makePair, mint, pay } from '@/tests/harness/use-service';
import { nameWallets } from './harness/name-wallets';
import { connect, overflow, reopenIn, signInHere, violations, visit } from './harness/open-page';
import { focused, listen } from './harness/read-aloud';
import { expect, test } from './harness/site';

/** The dashboard of a seller, of a payer and of a visitor. */
test.describe('the dashboard', () => {
  test('says that the sign-in was rejected, and signs in at the next press', async ({ site }) => {
    const { page, context, behaviour } = await visit(site, '/dashboard');
    await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await connect(page);
    behaviour.rejects = 'message';
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You rejected the request in Test Wallet').first().waitFor();
    await expect
      .poll(() => focused(page))
      .toContain('group | You are not signed in | You rejected');
    expect(await violations(page)).toEqual([]);
    behaviour.rejects = 'nothing';
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Signed in as').first().waitFor();
    await page.getByText('No receipts in this period').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.getByText('Signed in as').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor();
    await expect.poll(() => focused(page)).toContain('heading | ');
    await context.close();
  });

  for (const [name, behaviour, asked] of [
    ['its own sign-in', { signsIn: true }, 'sign-in'],
    ['the envelope of hardware wallets', { isHardware: true }, 'message'],
  ] as const)
    test(`signs in a wallet with ${name}`, async ({ site }) => {
      const visited = await visit(site, '/dashboard', { behaviour });
      await signInHere(visited.page);
      expect(visited.asked).toEqual(['connection', asked]);
      await visited.context.close();
    });

  test('signs in with the account that the wallet switched to', async ({ site }) => {
    const [first, second] = [makeWallet(), makeWallet()];
    const { page, asked, switchTo, context } = await visit(site, '/dashboard', { wallet: first });
    await signInHere(page);
    await switchTo(page, second);
    await page
      .getByText(/^Test Wallet is on another account/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /^Sign in with/ }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel(`Your wallet ${second.address}`).waitFor();
    expect(asked).toEqual(['connection', 'message', 'message']);
    await context.close();
  });

  test('shows a seller its receipts, and the payer the same one without a country', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 420_000n });
    await mint(service, { signature, wallet: payer, body: { invoice_id: 'INV-77' } });
    const shop = await visit(site, '/dashboard', { wallet: seller });
    await signInHere(shop.page);
    const row = shop.page.getByRole('row', { name: /INV-77/ });
    await row.waitFor();
    await shop.page.getByRole('heading', { name: 'Countries of payers' }).waitFor();
    await row.getByRole('button', { name: /^Add a note/ }).click();
    await shop.page.getByLabel('Your note').fill('Table nine');
    expect(await overflow(shop.page)).toBe(0);
    await shop.page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Table nine').waitFor();
    const search = async (text: string) => {
      await shop.page.getByRole('searchbox', { name: 'Search' }).fill(text);
      await shop.page.getByRole('button', { name: 'Search' }).click();
    };
    const { heard } = await listen(shop.page);
    // This chain has no registry of names, so the words are searched.
    await search('nowhere.sol');
    await shop.page
      .getByText('We do not know which wallet nowhere.sol stands for')
      .first()
      .waitFor();
    await shop.page.getByText('No receipt matches').first().waitFor();
    await expect.poll(heard).toContainEqual(expect.stringContaining('No receipt matches'));
    await nameWallets(shop.context, payer.address);
    await search('Payer.sol');
    await shop.page.getByText(`payer.sol stands for ${payer.address}`).waitFor();
    await row.getByText('Table nine').waitFor();
    await expect.poll(heard).toContain('1 row on this page.');
    expect(await overflow(shop.page)).toBe(0);
    const download = shop.page.waitForEvent('download');
    await shop.page.getByRole('link', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toBe('dashboard-received.csv');
    await shop.context.close();
    const buyer = await visit(site, '/dashboard', { wallet: payer });
    await signInHere(buyer.page);
    await buyer.page.getByRole('tab', { name: 'Paid' }).click();
    await buyer.page.getByRole('row', { name: /INV-77/ }).waitFor();
    await buyer.page
      .getByRole('region', { name: 'Paid in this period' })
      .getByText('0.42')
      .first()
      .waitFor();
    expect(await buyer.page.getByText('Countr', { exact: false }).count()).toBe(0);
    expect(await buyer.page.getByText('Table nine').count()).toBe(0);
    await buyer.context.close();
  });

  test('names the state of a receipt in a word, and repeats it by its colour', async ({ site }) => {
    const { prisma } = site.service;
    const seller = makeWallet();
    const o = { wallet: seller.address, other: makeWallet().address };
    await fillReceipts(prisma, { ...o, count: 6 });
    await prisma.receipt.updateMany({
      where: { seller: seller.address },
      data: { blockTime: new Date() },
    });
    // No job may start them.
    const redriveAt = new Date('2100-01-01T00:00:00Z');
    for (const [invoiceId, status] of [
      ['INV-3', 'pending'],
      ['INV-5', 'failed'],
    ] as const) {
      const where = { invoiceId, seller: seller.address };
      const { id } = await prisma.receipt.findFirstOrThrow({ where });
      await prisma.mint.update({ where: { id }, data: { status, redriveAt } });
    }
    const { page, context } = await visit(site, '/dashboard', { wallet: seller });
    await signInHere(page);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [row, word, colours] of [
        [/INV-1/, 'Proven', { light: 'rgb(11, 110, 79)', dark: 'rgb(92, 201, 163)' }],
        [/INV-3/, 'Pending', { light: 'rgb(138, 90, 0)', dark: 'rgb(224, 179, 87)' }],
        [/INV-5/, 'Failed', { light: 'rgb(163, 38, 42)', dark: 'rgb(240, 137, 140)' }],
      ] as const) {
        const badge = page.getByRole('row', { name: row }).getByText(word, { exact: true });
        await expect(badge, theme).toHaveCSS('color', colours[theme]);
      }
    }
    await context.close();
  });

  test('lists every leg of a receipt, for the payer and for the receiver of another leg', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const market = makeWallet();
    const signature = await payParts(service, payer, [
      { token: 'USDC', to: seller, amount: 850_000n },
      { token: 'USDC', to: market, amount: 150_000n },
    ]);
    await mint(service, { signature, wallet: payer });
    const buyer = await visit(site, '/dashboard', { wallet: payer, phone: true });
    await signInHere(buyer.page);
    await buyer.page.getByRole('tab', { name: 'Paid' }).click();
    await buyer.page.getByRole('row', { name: /Row 1 of 2 0\.85 USDC/ }).waitFor();
    await buyer.page.getByRole('row', { name: /Row 2 of 2 0\.15 USDC/ }).waitFor();
    const totals = buyer.page.getByRole('region', { name: 'Paid in this period' });
    await expect
      .poll(() => totals.innerText())
      .toMatch(/\$1\.00[\s\S]*Payments\s+1\s+Rows[\s\S]*?2\s/);
    expect([await violations(buyer.page), await overflow(buyer.page)]).toEqual([[], 0]);
    await buyer.context.close();
    const place = await visit(site, '/dashboard', { wallet: market });
    await signInHere(place.page);
    await place.page.getByRole('row', { name: /0\.15 USDC/ }).waitFor();
    expect(await place.page.getByRole('row', { name: /0\.85 USDC/ }).count()).toBe(0);
    await place.context.close();
  });

  test('registers a seller, whose next payment gets an automatic receipt', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const { page, context } = await visit(site, '/dashboard', { wallet: seller });
    await signInHere(page);
    await page.getByRole('tab', { name: 'Automatic receipts' }).click();
    await page.getByLabel('Business name').fill('Corner café');
    await page.getByLabel('Purpose of payments').fill('https://link.example');
    await page.getByRole('button', { name: 'Sign and turn on' }).click();
    await page.getByText('Links aren’t allowed here.').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Purpose of payments').fill('Bread');
    await page.getByRole('button', { name: 'Sign and turn on' }).click();
    await page.getByText('On since').first().waitFor();
    const signature = await pay(service, { from: payer, to: seller, amount: 330_000n });
    const large = await pay(service, { from: payer, to: seller, amount: 5_000_000n });
    await expect
      .poll(
        async () => {
          await runCron(service, 'find-transfers');
          const rows = await service.prisma.autoTransfer.findMany({
            where: { txSignature: { in: [signature, large] } },
          });
          return rows.map(({ state }) => state).sort();
        },
        { timeout: 120_000, intervals: [1_000] },
      )
      .toEqual(['fee_due', 'receipted']);
    await page.reload();
    await page.getByRole('heading', { name: 'Fee due' }).waitFor();
    await page.getByRole('row', { name: /Bread · automatic/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Create receipt' }).click();
    await expect(page.getByLabel('What was it for?')).toHaveValue('Bread');
    const { receiptId } = await service.prisma.autoTransfer.findUniqueOrThrow({
      where: { txSignature: signature },
    });
    await page.goto(`/r/${receiptId}`);
    await page.getByText('Corner café').first().waitFor();
    await page.getByText('Stated by the seller').first().waitFor();
    await context.close();
  });

  for (const [theme, dark] of [
    ['light', false],
    ['dark', true],
  ] as const)
    test(`has no fault that axe finds and no overflow at 390 px, in ${theme}`, async ({ site }) => {
      const { service } = site;
      const { payer, seller } = await makePair(service);
      const signature = await pay(service, { from: payer, to: seller, amount: 420_000n });
      await mint(service, { signature, wallet: payer });
      const { page, context, complaints } = await visit(site, '/dashboard', {
        wallet: seller,
        phone: true,
        dark,
      });
      await signInHere(page);
      await page.getByRole('row', { name: /API access/ }).waitFor();
      for (const [tab, loaded] of [
        ['Received', page.getByRole('row', { name: /API access/ })],
        ['Paid', page.getByText('No receipts in this period').first()],
        ['Automatic receipts', page.getByLabel('Business name')],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click();
        await loaded.waitFor();
        expect([tab, await violations(page, { colours: dark }), await overflow(page)]).toEqual([
          tab,
          [],
          0,
        ]);
        await page.setViewportSize({ width: 320, height: 640 });
        expect([tab, 320, await overflow(page)]).toEqual([tab, 320, 0]);
        await page.setViewportSize({ width: 390, height: 844 });
      }
      for (const language of dark ? [] : (['de', 'es', 'ja'] as const)) {
        await reopenIn(page, language);
        await page.getByRole('row', { name: /API access/ }).waitFor();
        for (const width of [320, 390]) {
          await page.setViewportSize({ width, height: 844 });
          expect([language, width, await overflow(page)]).toEqual([language, width, 0]);
        }
      }
      expect(complaints).toEqual([]);
      await context.close();
    });
});
