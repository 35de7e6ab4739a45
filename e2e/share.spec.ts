import { aroundNow, awaitFinal, awaitMinted, buy } from '@/tests/harness/use-statements';
import { makePair, mint, pay } from '@/tests/harness/use-service';
import type { TestService } from '@/tests/harness/start-service';
import { visit } from './harness/open-page';
import { expect, test } from './harness/site';

/** A receipt and a statement, both with a proof on chain, and the paths of their pages. */
async function makeBoth(service: TestService) {
  const { payer, seller } = await makePair(service);
  const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
  await awaitFinal(service, [signature]);
  const { body } = await mint(service, { signature, wallet: payer });
  const { answer } = await buy(service, {
    from: payer,
    body: { wallet_address: payer.address, ...aroundNow() },
  });
  const [receipt, statement] = [String(body['receipt_id']), String(answer.body['statement_id'])];
  const assetOf = async (id: string) => (await awaitMinted(service, id)).assetId;
  return [
    { path: `/r/${receipt}`, title: `Receipt ${receipt}`, asset: await assetOf(receipt) },
    { path: `/s/${statement}`, title: `Statement ${statement}`, asset: await assetOf(statement) },
  ];
}

/** The ways in which the pages of a receipt and a statement are shared outside the browser. */
test('receipt and statement have a preview card, a shareable address, a print form, and the name of their asset', async ({
  site,
}) => {
  const { service } = site;
  for (const { path, title, asset } of await makeBoth(service)) {
    const { page, context } = await visit(site, path);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const image = await page.locator('meta[property="og:image"]').getAttribute('content');
    expect(image).toBe(`${service.baseUrl}${path}/card.png`);
    const card = await fetch(String(image));
    expect(card.headers.get('content-type')).toBe('image/png');
    const png = new DataView(await card.arrayBuffer());
    expect([path, png.getUint32(16), png.getUint32(20)]).toEqual([path, 1200, 630]);

    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('Link copied').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${service.baseUrl}${path}`,
    );

    await page.getByText('Technical details').click();
    await page.getByLabel(`Asset ${asset ?? ''}`).waitFor();

    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    await page.getByRole('button', { name: 'Print' }).click();
    await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes');
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    // Paper says its verdict, when it was checked, and where its current state is.
    await expect(page.getByRole('heading', { name: 'Verdict: Genuine' })).toBeVisible();
    await expect(page.getByText(/^Checked \d/)).toBeVisible();
    await expect(page.getByText(`Check this document at ${service.baseUrl}${path}`)).toBeVisible();
    await expect(page.getByRole('img', { name: 'QR code of the page' })).toBeVisible();
    for (const hidden of ['Save or share', 'Evidence'])
      expect([path, hidden, await page.getByRole('heading', { name: hidden }).count()]).toEqual([
        ...[path, hidden, 0],
      ]);
    await context.close();
  }
});
