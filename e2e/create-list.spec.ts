import { z } from 'zod';
import { call, makePair, pay } from '@/tests/harness/use-service';
import { connect, overflow, violations, visit } from './harness/open-page';
import { listen } from './harness/read-aloud';
import { expect, test } from './harness/site';

/** More than the page reads of a wallet at once. */
const PAYMENTS = 27;

/** The create page before a payment is chosen. */
test.describe('the choice on the create page', () => {
  test('lists older payments on request, and names the fees of this service', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const offer = await call(service, '/mint', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const payTo = /"payTo":"(\w+)"/.exec(JSON.stringify(offer.body))?.[1];
    await pay(service, {
      from: payer,
      to: { address: z.string().parse(payTo) },
      amount: 100_000n,
    });
    for (let n = 1; n < PAYMENTS; n += 1)
      await pay(service, { from: payer, to: seller, amount: 250_000n + BigInt(n) });
    const { page, context } = await visit(site, '/', { wallet: payer, phone: true });
    const { heard } = await listen(page);
    await connect(page);
    const payments = page.getByRole('region', { name: 'Recent payments' }).getByRole('listitem');
    await payments.first().waitFor();
    const first = await payments.count();
    expect(first).toBeLessThan(PAYMENTS);
    // The oldest but one is the fee: before it the wallet got its money.
    expect(await page.getByText('Fee paid to').count()).toBe(0);
    await page.getByRole('button', { name: 'Show older payments' }).click();
    await expect.poll(() => payments.count()).toBe(PAYMENTS + 1);
    await expect.poll(heard).toContain(`${PAYMENTS + 1 - first} older payments`);
    await page.getByText('No older payments.').first().waitFor();
    await expect(payments.nth(-2)).toContainText('Fee paid to quittance');
    await expect(page.getByText('Fee paid to')).toHaveCount(1);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await context.close();
    // Older ones that cannot be read leave what is there.
    const other = await visit(site, `/?of=${payer.address}`);
    await other.page.getByRole('button', { name: 'Show older payments' }).waitFor();
    await service.fault('chain', { failMethods: { '*': { status: 503 } } });
    await other.page.getByRole('button', { name: 'Show older payments' }).click();
    await other.page.getByText('Older payments could not be read', { exact: true }).waitFor();
    await other.context.close();
  });

  test('shows a sample receipt and the prices, and loads no code of wallets before it is asked for', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, context } = await visit(site, 'about:blank', { wallet: payer });
    const scripts: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script')
        scripts.push(response.text().catch(() => ''));
    });
    const ofWallets = async () =>
      (await Promise.all(scripts)).filter((text) => text.includes('solana-wallet')).length;
    await page.goto('/', { waitUntil: 'networkidle' });
    const sample = page.getByRole('group', { name: 'Sample receipt' });
    expect(await sample.innerText()).toMatch(/RECEIPT\s+Sample[^]*25\.00[^]*Example Studio/);
    expect(await page.getByRole('region', { name: 'Prices' }).innerText()).toContain(
      'at least 0.10',
    );
    await page.getByLabel('Which payment?').fill(tx);
    await page.getByLabel('What was it for?').waitFor();
    await expect(sample).toHaveCount(0);
    expect([scripts.length > 0, await ofWallets()]).toEqual([true, 0]);
    await connect(page);
    expect(await ofWallets()).toBeGreaterThan(0);
    await context.close();
  });
});
