import { makeWallet } from '@/devnet/client/wallet';
import { payParts } from '@/tests/harness/pay-parts';
import { awaitFinal, buy } from '@/tests/harness/use-statements';
import { call, makePair, pay } from '@/tests/harness/use-service';
import { failMint } from './harness/fail-mint';
import { connect, overflow, reopenIn, violations, visit } from './harness/open-page';
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
          timeout: 20_000,
        })
        .toMatchObject({ status: 'settled' });
    const { page, asked, context } = await visit(site, '/statements', { wallet: payer });
    await connect(page);
    // A preview that fails ends no payment that is kept from before.
    const kept = JSON.stringify({ quoteId: 'kept', wire: null });
    await page.evaluate((value) => localStorage.setItem('quittance-statement', value), kept);
    await page.route(/statements\.create/, (route) => route.abort());
    await page.getByRole('button', { name: 'Preview and get price' }).click();
    await expect.poll(() => focused(page)).toMatch(/^group \| /);
    expect(await page.evaluate(() => localStorage.getItem('quittance-statement'))).toBe(kept);
    await page.unroute(/statements\.create/);
    await page.getByRole('button', { name: 'Preview and get price' }).click();
    // What the faucet gave is the third.
    await page.getByRole('heading', { name: '3 payments' }).waitFor();
    expect(asked).toEqual(['connection']);
    await page.getByRole('button', { name: 'Make the statement, 1.00 USDC' }).click();
    await page.getByRole('heading', { name: /^Statement STMT/ }).waitFor();
    expect(asked).toEqual(['connection', 'transaction']);
    const rows = page.getByRole('table', { name: 'Payments of the statement' }).locator('tbody tr');
    expect(await rows.count()).toBe(3);
    await page.getByRole('button', { name: 'USD' }).click();
    expect(await rows.first().innerText()).toContain('0.25');
    const { heard } = await listen(page);
    await page.getByLabel('Search').fill('nothing like it');
    await page.getByText('No payments match').first().waitFor();
    await expect.poll(heard).toContainEqual(expect.stringContaining('No payments match'));
    // The same as the page of a receipt has: verdict, evidence, commands, files and where its parts are.
    await page.getByRole('heading', { name: 'Verdict: Genuine' }).waitFor();
    expect(await page.getByText('Verified', { exact: true }).count()).toBe(4);
    const id = /STMT\w+/.exec(page.url())?.[0] ?? '';
    const commands = page.getByLabel('Commands that check the statement', { exact: true });
    expect(await commands.innerText()).toContain(`/statement/${id}/proof > statement.json`);
    const files = page.getByRole('region', { name: 'Save or share' });
    for (const name of ['PNG', 'JSON', 'CSV', 'Proof'])
      expect(await files.getByRole('link', { name, exact: true }).count(), name).toBe(1);
    await page.getByText('Technical details').click();
    const { csvSha256, merkleRoot } = await service.prisma.statement.findUniqueOrThrow({
      where: { id },
    });
    for (const text of [csvSha256, merkleRoot])
      await page.getByText(text, { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'on permanent storage' }).count()).toBe(2);
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

  test('shows every leg of a payout as a row, what is in no row, and a failed proof that can be tried again', async ({
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
    const day = 86_400_000;
    // Storage that does not answer holds the proof back until its mint is made a failed one.
    await service.fault('storage', { down: true });
    const { answer } = await buy(service, {
      from: payer,
      body: {
        wallet_address: payer.address,
        period_start: new Date(Date.now() - day).toISOString(),
        period_end: new Date(Date.now() + day).toISOString(),
      },
      headers: { prefer: 'wait=0' },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const id = String(answer.body['statement_id']);
    expect((await call(service, `/statement/${id}`)).status).toBe(202);
    await failMint(service, id);
    const { page, context, asked } = await visit(site, `/s/${id}`, { phone: true, wallet: payer });
    await page.getByRole('heading', { name: 'Verdict: Not recorded on Solana' }).waitFor();
    await page.getByText('the payment is not affected, and a new try costs nothing').waitFor();
    const table = (name: string) => page.getByRole('table', { name }).locator('tbody tr');
    const parts = table('Payments of the statement').filter({ hasText: 'of one transaction' });
    expect(await parts.allInnerTexts()).toEqual([
      expect.stringContaining('Row 1 of 2'),
      expect.stringContaining('Row 2 of 2'),
    ]);
    const skipped = table('Transactions without a row, by reason');
    const below = skipped.filter({ hasText: 'Below the smallest amount listed' });
    expect((await below.innerText()).split(/\s*\t\s*/)).toEqual([
      ...['Below the smallest amount listed', '1', '−0.000001 USDC'],
    ]);
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
