import { expect, it } from 'vitest';
import { call, makePair, pay } from '@/tests/harness/use-service';
import { connect, overflow, violations, visit, type Site } from './harness/open-page';

/** Statements in the browser. */
export function statementSpecs(site: () => Site): void {
  it('names count and price first, takes one payment, and shows the statement', async () => {
    const { service } = site();
    const { payer, seller } = await makePair(service);
    const first = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const second = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
    for (const tx of [first, second])
      await expect
        .poll(async () => (await call(service, `/verify/${tx}`)).body['transaction'], {
          timeout: 20_000,
        })
        .toMatchObject({ status: 'settled' });
    const { page, asked, context } = await visit(site(), '/statements', { wallet: payer });
    await connect(page);
    await page.getByRole('button', { name: 'See count and price' }).click();
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
    await page.getByLabel('Search').fill('nothing like it');
    await page.getByText('No payment fits').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await context.close();
  });
}
