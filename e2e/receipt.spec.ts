import { LANGUAGE_NAMES, LANGUAGES } from '@/i18n/locales';
import { makeWallet } from '@/devnet/client/wallet';
import { payParts } from '@/tests/harness/pay-parts';
import { awaitStatus, call, freshReceipt, makePair, mint, pay } from '@/tests/harness/use-service';
import { failMint } from './harness/fail-mint';
import { connect, overflow, violations, visit } from './harness/open-page';
import { expect, test } from './harness/site';

/** Labels of the maximum length, without a place to break them. */
const LONGEST_LABELS = {
  service_type: 'W'.repeat(64),
  invoice_id: 'W'.repeat(64),
  transaction_type: 'W'.repeat(32),
};

/** The page of a receipt. */
test.describe('the other pages', () => {
  test('lets the payer retry a failed receipt, and follows it until its check passes', async ({
    site,
  }) => {
    const { service } = site;
    // Storage that does not answer delays the proof as long as this test needs.
    await service.fault('storage', { down: true });
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const id = String((await mint(service, { signature, wallet: payer })).body['receipt_id']);
    await failMint(service, id);
    const { page, context, asked } = await visit(site, `/r/${id}`, { wallet: payer });
    await page.getByRole('heading', { name: 'Verdict: Not recorded on Solana' }).waitFor();
    await page
      .getByText('the payment is not affected, and a retry costs nothing')
      .first()
      .waitFor();
    expect(await page.getByText('10.0.0.7').count()).toBe(0);
    // Paper says so, too.
    await page.emulateMedia({ media: 'print' });
    const verdict = page.getByRole('heading', { name: 'Verdict: Not recorded on Solana' });
    await expect(verdict).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    expect(await violations(page)).toEqual([]);
    await connect(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Verdict: Being recorded on Solana' }).waitFor();
    expect(asked).toEqual(['connection', 'message']);
    expect(await violations(page)).toEqual([]);
    await service.fault('storage', null);
    const verified = page.getByText('Verified', { exact: true });
    await expect(verified).toHaveCount(4, { timeout: 90_000 });
    await context.close();
  });

  test('marks each fact with its source, and offers files, print and a link preview', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { body } = await mint(service, { signature, wallet: payer, body: LONGEST_LABELS });
    const id = String(body['receipt_id']);
    await awaitStatus(service, id);
    const { page, context } = await visit(site, `/r/${id}`);
    await expect(page.getByText('Stated by the payer')).toHaveCount(3);
    await page.getByRole('heading', { name: 'Verdict: Genuine' }).waitFor();
    await expect(page.getByText('Verified on chain')).toHaveCount(4);
    for (const [words, colour] of [
      ['Verified on chain', 'rgb(11, 110, 79)'],
      ['Stated by the payer', 'rgb(91, 98, 112)'],
    ] as const)
      await expect(page.getByText(words).first(), words).toHaveCSS('color', colour);
    const meta = (name: string) => page.locator(`meta[${name}]`).getAttribute('content');
    expect(await meta('name="robots"')).toContain('noindex');
    const card = await fetch(String(await meta('property="og:image"')));
    const png = new DataView(await card.arrayBuffer());
    expect([png.getUint32(16), png.getUint32(20)]).toEqual([1200, 630]);
    // A preview names no label, and there is an icon for every place that shows one.
    expect(await meta('property="og:image:alt"')).not.toBeNull();
    const links = page.locator(
      'link[rel="icon"], link[rel="apple-touch-icon"], link[rel="manifest"]',
    );
    await expect(links).toHaveCount(4);
    const linked = await links.evaluateAll((found) => found.map((one) => one.getAttribute('href')));
    for (const href of [...linked, '/icon-192.png', '/icon-maskable-512.png', '/robots.txt'])
      expect((await fetch(new URL(String(href), service.baseUrl))).status, String(href)).toBe(200);
    for (const path of ['/', '/docs']) {
      const other = await visit(site, path);
      const image = await other.page.locator('meta[property="og:image"]').getAttribute('content');
      expect(image).toBe(`${service.baseUrl}${path === '/' ? '' : path}/card.png`);
      expect((await fetch(String(image))).headers.get('content-type')).toBe('image/png');
      await other.context.close();
    }
    await page.route(/web\.check/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"since_mint":null', '"since_mint":"burnt"');
      await route.fulfill({ response, body });
    });
    await page.reload();
    await page.getByText('Its holder has burnt the NFT since').first().waitFor();
    await page.unroute(/web\.check/);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'JSON', exact: true }).click();
    expect((await download).suggestedFilename()).toBe(`receipt-${id}.json`);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading', { name: 'Verdict: Genuine' })).toBeVisible();
    await expect(page.getByRole('heading', { name: `Receipt ${id}` })).toBeVisible();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const paper = await page.pdf({ preferCSSPageSize: true });
    expect(paper.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
    await context.close();
  });

  test('lists other movements of the transaction in small print', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const market = makeWallet();
    const signature = await payParts(service, payer, [
      { token: 'USDC', to: seller, amount: 850_000n },
      { token: 'USDC', to: market, amount: 150_000n },
    ]);
    // 1 USD in total. The receipt's part is about 0.85, so it is free.
    const { body } = await mint(service, { signature, wallet: payer });
    const { page, context } = await visit(site, `/r/${String(body['receipt_id'])}`, {
      phone: true,
    });
    const beside = page.getByRole('region', { name: 'In the same transaction' });
    for (const words of [
      'Also paid 0.15 USDC to ',
      'Network fee 0.000005 SOL from the payer',
      'Rent for a new account 0.00203928 SOL from the payer to the seller 0.00203928 SOL',
    ])
      await expect
        .poll(async () => (await beside.innerText()).replaceAll(/\s+/g, ' '))
        .toContain(words);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await context.close();
  });

  test('answers 404 with a text for a missing receipt', async ({ site }) => {
    const { page, context } = await visit(site, '/r/000000000000');
    await page.getByRole('heading', { name: 'There is no such receipt' }).waitFor();
    expect(await violations(page)).toEqual([]);
    const { status } = await fetch(new URL('/r/000000000000', site.service.baseUrl));
    expect(status).toBe(404);
    await context.close();
  });

  test('sends a page in the language that the browser asks for', async ({ site }) => {
    const headers = { accept: 'text/html', 'accept-language': 'fr, ja-JP;q=0.9' };
    const answer = await fetch(site.service.baseUrl, { headers });
    // The language follows the reader, so no cache may keep the page for another one.
    expect(await answer.text()).toMatch(/<html lang="ja" dir="ltr"/);
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  for (const [theme, dark] of [
    ['light', false],
    ['dark', true],
  ] as const)
    test(`has no fault that axe finds and no overflow at 390 px, in ${theme}`, async ({ site }) => {
      const { service } = site;
      const { id } = await freshReceipt(service);
      const { page, context, complaints } = await visit(site, '/', { dark, phone: true });
      // The specs of /docs and /s check their pages.
      for (const path of ['/', `/r/${id}`, '/statements', '/terms', '/privacy', '/nowhere']) {
        await page.goto(path);
        expect([path, await violations(page, { colours: dark }), await overflow(page)]).toEqual([
          path,
          [],
          0,
        ]);
        await page.setViewportSize({ width: 320, height: 640 });
        expect([path, 320, await overflow(page)]).toEqual([path, 320, 0]);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await page.getByRole('contentinfo').innerText(), path).toContain(
          'Operator: Test service without an operator, nobody@test-service.invalid',
        );
      }
      for (const path of ['/terms', '/privacy']) {
        await page.goto(path);
        const link = page
          .getByRole('main')
          .getByRole('link', { name: 'nobody@test-service.invalid' });
        expect(await link.first().getAttribute('href')).toBe('mailto:nobody@test-service.invalid');
      }
      expect(complaints.filter((words) => !words.includes('404'))).toEqual([]);
      await context.close();
    });

  test('shows pages in four languages on a phone, keeps the payment at a switch, and remembers the language', async ({
    site,
  }) => {
    const { id, signature } = await freshReceipt(site.service);
    const { page, context, complaints } = await visit(site, '/', { phone: true });
    for (const language of LANGUAGES) {
      await page.goto(`/?tx=${signature}`);
      await page.getByRole('button', { name: LANGUAGE_NAMES[language] }).click();
      await page.locator(`html[lang="${language}"][dir="ltr"]`).waitFor();
      // The switch keeps the page with its payment, and the choice stays.
      expect(new URL(page.url()).search).toBe(`?tx=${signature}`);
      await page.reload();
      await expect(page.getByRole('textbox').first()).toHaveValue(signature);
      await page.getByRole('link', { name: id }).waitFor();
      for (const path of [null, '/', `/r/${id}`]) {
        if (path !== null) await page.goto(path);
        expect(await page.locator('html').getAttribute('lang'), String(path)).toBe(language);
        for (const width of [320, 390]) {
          await page.setViewportSize({ width, height: 844 });
          expect([language, path, width, await overflow(page)]).toEqual([
            ...[language, path, width, 0],
          ]);
        }
      }
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('keeps the chosen theme, from the first byte of the next page on', async ({ site }) => {
    const { page, context } = await visit(site, '/terms');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.goto('/privacy');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await context.close();
  });

  test('describes every path it serves and nothing else, with prices', async ({ site }) => {
    const { body } = await call(site.service, '/openapi.json');
    expect(body).toMatchObject({
      openapi: '3.1.0',
      info: { contact: { name: 'Test service without an operator' } },
      paths: { '/mint': { post: { 'x-payment-info': { minPrice: '0.1', maxPrice: '5' } } } },
    });
    const llms = await (await fetch(new URL('/llms.txt', site.service.baseUrl))).text();
    // Operations of operators are in the description, but not in the list for agents.
    for (const path of Object.keys(Object(body['paths'])))
      expect(llms.includes(` ${path}: `), path).toBe(!path.startsWith('/admin/'));
    expect((await call(site.service, '/version')).body).toMatchObject({
      contract: Number(Object(body['info'])['version']),
    });
    const security = await fetch(new URL('/.well-known/security.txt', site.service.baseUrl));
    expect(security.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await security.text()).toContain('Contact: mailto:nobody@test-service.invalid\r\n');
  });
});
