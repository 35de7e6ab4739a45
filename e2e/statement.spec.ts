import { dateText } from '@/components/ui/dates';
import { makeWallet } from '@/devnet/client/wallet';
import { payParts } from '@/tests/harness/pay-parts';
import { addDays } from '@/server/clock';
import { aroundNow, awaitFinal, buy } from '@/tests/harness/use-statements';
import { call, makePair, pay } from '@/tests/harness/use-service';
import { failMint } from './harness/fail-mint';
import { beginLastWeek, connect, overflow, reopenIn, violations, visit } from './harness/open-page';
import { focused, listen } from './harness/read-aloud';
import { expect, test } from './harness/site';

/** Statements in the browser. */
test.describe('statements', () => {
  test('names count and price first, takes one payment, and shows the statement', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const first = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const second = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
    for (const tx of [first, second])
      await expect
        .poll(async () => (await call(service, `/verify/${tx}`)).body['transaction'], {
          timeout: 60_000,
        })
        .toMatchObject({ status: 'settled' });
    const { page, asked, context } = await visit(site, '/statements', { wallet: payer });
    await connect(page);
    await beginLastWeek(page);
    // A failed preview ends no payment that was kept from before.
    const kept = JSON.stringify({ quoteId: 'QT000000000000000000', wire: null });
    await page.evaluate((value) => localStorage.setItem('quittance-statement', value), kept);
    await page.route(/statements\.create/, (route) => route.abort());
    await page.getByRole('button', { name: 'Preview and get price' }).click();
    await expect.poll(() => focused(page)).toMatch(/^group \| /);
    expect(await page.evaluate(() => localStorage.getItem('quittance-statement'))).toBe(kept);
    await page.unroute(/statements\.create/);
    await page.getByRole('button', { name: 'Preview and get price' }).click();
    // The faucet's payment is the third.
    await page.getByRole('heading', { name: '3 payments' }).waitFor();
    expect(asked).toEqual(['connection']);
    // A payment that was kept is finished first. One of an unknown offer is dropped.
    const make = page.getByRole('button', { name: 'Make the statement, 1.00 USDC' });
    await make.click();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('quittance-statement')))
      .toBeNull();
    expect(asked).toEqual(['connection']);
    await make.click();
    await page.getByRole('heading', { name: /^Statement STMT/ }).waitFor();
    expect(asked).toEqual(['connection', 'transaction']);
    const rows = page.getByRole('table', { name: 'Payments of the statement' }).locator('tbody tr');
    await expect(rows).toHaveCount(3);
    await page.getByRole('button', { name: 'USD' }).click();
    await expect(rows.first()).toContainText('0.25');
    const { heard } = await listen(page);
    await page.getByLabel('Search').fill('nothing like it');
    await page.getByText('No payments match').first().waitFor();
    await expect.poll(heard).toContainEqual(expect.stringContaining('No payments match'));
    // The same parts as on the page of a receipt: verdict, evidence, commands, files and locations.
    await page.getByRole('heading', { name: 'Verdict: Genuine' }).waitFor();
    await expect(page.getByText('Verified', { exact: true })).toHaveCount(4);
    const id = /STMT\w+/.exec(page.url())?.[0] ?? '';
    const commands = page.getByLabel('Commands that check the statement', { exact: true });
    await expect(commands).toContainText(`/statement/${id}/proof > statement.json`);
    const files = page.getByRole('region', { name: 'Save or share' });
    for (const name of ['PNG', 'JSON', 'CSV', 'Proof'])
      await expect(files.getByRole('link', { name, exact: true }), name).toHaveCount(1);
    await page.getByText('Technical details').click();
    const { csvSha256, merkleRoot } = await service.prisma.statement.findUniqueOrThrow({
      where: { id },
    });
    for (const text of [csvSha256, merkleRoot])
      await page.getByText(text, { exact: true }).waitFor();
    await expect(page.getByRole('link', { name: 'on permanent storage' })).toHaveCount(2);
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
    expect(await violations(page)).toEqual([]);
    for (const [language, verdict] of [
      ['de', 'Echt'],
      ['es', 'Auténtico'],
      ['ja', '真正'],
    ] as const) {
      await reopenIn(page, language);
      await page.getByRole('heading', { name: verdict }).waitFor();
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 844 });
        expect([language, width, await overflow(page)]).toEqual([language, width, 0]);
      }
    }
    await context.close();
  });

  test('are paid for the period that the form shows, of at most 366 days', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    await awaitFinal(service, [tx]);
    const paid = Object((await call(service, `/verify/${tx}`)).body['transaction']);
    const { page, context } = await visit(site, '/statements', { wallet: payer });
    await connect(page);
    const [first, last] = [page.getByLabel('First day'), page.getByLabel('Last day')];
    const preview = page.getByRole('button', { name: 'Preview and get price' });
    const make = page.getByRole('button', { name: /^Make the statement/ });
    // The day of the payment, which may end before the page is open.
    const today = String(Reflect.get(paid, 'block_time')).slice(0, 10);
    await last.fill(today);
    await first.fill(today);
    await preview.click();
    await make.waitFor();
    const day = dateText(today, 'en', 'day');
    await page.getByText(`Payments of ${day} (UTC)`).waitFor();
    await first.fill(addDays(today, -200));
    await expect(make).toHaveCount(0);
    await preview.click();
    await page.getByText(new RegExp(`^Payments from .* to ${day} \\(UTC\\)$`)).waitFor();
    await expect(make).toBeVisible();
    // Too long a period is refused at its field, before a call.
    let calls = 0;
    await page.route(/statements\.create/, (route) => {
      calls += 1;
      return route.continue();
    });
    await first.fill(addDays(today, -366));
    await page.getByText('These are 367 days').first().waitFor();
    await preview.click();
    await expect.poll(() => focused(page)).toContain(' | These are 367 days');
    expect([await violations(page), calls]).toEqual([[], 0]);
    await context.close();
  });

  test('shows every leg of a payout as a row, other changes without rows, and a failed proof that can be retried', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    await pay(service, { from: payer, to: seller, amount: 1n });
    await payParts(service, payer, [
      { token: 'USDC', to: seller, amount: 2_000_000n },
      { token: 'USDC', to: makeWallet(), amount: 2_000_000n },
    ]);
    const last = await pay(service, { from: payer, to: seller, amount: 250_000n });
    await awaitFinal(service, [last]);
    // Storage that does not answer delays the proof until this test fails its mint.
    await service.fault('storage', { down: true });
    const { answer } = await buy(service, {
      from: payer,
      body: { wallet_address: payer.address, ...aroundNow() },
      headers: { prefer: 'wait=0' },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const id = String(answer.body['statement_id']);
    expect((await call(service, `/statement/${id}`)).status).toBe(202);
    await failMint(service, id);
    const { page, context, asked } = await visit(site, `/s/${id}`, { phone: true, wallet: payer });
    await page.getByRole('heading', { name: 'Verdict: Not recorded on Solana' }).waitFor();
    await page
      .getByText('the payment is not affected, and a retry costs nothing')
      .first()
      .waitFor();
    const table = (name: string) => page.getByRole('table', { name }).locator('tbody tr');
    const parts = table('Payments of the statement').filter({ hasText: 'of one transaction' });
    await expect(parts).toContainText(['Row 1 of 2', 'Row 2 of 2']);
    await expect(parts).toHaveCount(2);
    const skipped = table('Transactions without a row, by reason');
    const below = skipped.filter({ hasText: 'Below the smallest amount listed' });
    await expect
      .poll(async () => (await below.innerText()).split(/\s*\t\s*/))
      .toEqual(['Below the smallest amount listed', '1', '−0.000001 USDC']);
    await table('Fees, rent and the like').filter({ hasText: 'Network fee' }).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await connect(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Verdict: Being recorded on Solana' }).waitFor();
    expect(asked).toEqual(['connection', 'message']);
    await service.fault('storage', null);
    await context.close();
  });
});
