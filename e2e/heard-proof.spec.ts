import { awaitFinal, awaitMinted, freshStatement } from '@/tests/harness/use-statements';
import { awaitStatus, freshReceipt, makePair, mint, pay } from '@/tests/harness/use-service';
import { failMint } from './harness/fail-mint';
import { connectByEar, hearPage, type Reader } from './harness/hear-page';
import { beginLastWeek, overflow, violations, visit } from './harness/open-page';
import { expect, test } from './harness/site';

/** Retries a failed mint by keys, and listens until its check passes. */
async function retryByEar(site: Parameters<typeof visit>[0], reader: Reader): Promise<void> {
  await reader.find('heading', 'Verdict: Not recorded on Solana');
  await connectByEar(reader, 'Connect wallet to try again');
  await reader.press('button', 'Try again');
  await reader.hears(/^Waiting for Test Wallet/);
  await reader.hears(/^Verdict: Being recorded on Solana /);
  await expect.poll(reader.focus).toBe('heading | Verdict: Being recorded on Solana');
  await reader.hears('Storing the files permanently');
  await reader.hears('Storage is busy. We keep trying, and nothing is lost.');
  await site.service.fault('storage', null);
  await reader.hears(/^Verdict: Genuine /);
  expect(reader.missed()).toEqual([]);
}

/** The announced proof on the pages of a receipt and a statement. */
test.describe('the proof with a screen reader', () => {
  test('the payer of a failed receipt retries it, and hears each step to its verdict', async ({
    site,
  }) => {
    const { service } = site;
    await service.fault('storage', { down: true });
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const id = String((await mint(service, { signature, wallet: payer })).body['receipt_id']);
    await failMint(service, id);
    const { page, context } = await visit(site, `/r/${id}`, { wallet: payer });
    await retryByEar(site, await hearPage(page));
    await context.close();
  });

  test('the wallet of a failed statement does the same', async ({ site }) => {
    // Storage that does not answer delays the proof until this test fails its mint.
    await site.service.fault('storage', { down: true });
    const { payer, id } = await freshStatement(site.service, { prefer: 'wait=0' });
    await failMint(site.service, id);
    const { page, context } = await visit(site, `/s/${id}`, { wallet: payer });
    await retryByEar(site, await hearPage(page));
    await context.close();
  });

  test('a receipt reads who was paid, what for, and how much, in this order', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const at = new Date();
    await service.prisma.registration.create({
      data: {
        walletAddress: seller.address,
        businessName: 'Corner café',
        country: 'US',
        serviceType: 'Bread',
        // Its payments get no automatic receipt.
        autoReceipts: false,
        fromSlot: 0n,
        registeredAt: at,
        updatedAt: at,
      },
    });
    const signature = await pay(service, { from: payer, to: seller, amount: 330_000n });
    const asked = { signature, wallet: payer, body: { service_type: 'Two loaves' } };
    const { body } = await mint(service, asked);
    const { page, context } = await visit(site, `/r/${String(body['receipt_id'])}`);
    const reader = await hearPage(page);
    await reader.find('heading', /^Receipt /);
    const words = (await reader.words()).map((one) => one.trim());
    const parts = words.filter((one) => ['Corner café', 'Two loaves', '0.33'].includes(one));
    expect(parts.slice(0, 3)).toEqual(['Corner café', 'Two loaves', '0.33']);
    await context.close();
  });

  test('a forged stored file makes receipt and statement not genuine, visibly and announced', async ({
    site,
  }) => {
    const { service } = site;
    const receipt = await freshReceipt(service);
    const statement = await freshStatement(service);
    await awaitStatus(service, receipt.id);
    await awaitMinted(service, statement.id);
    for (const [path, file] of [
      [`/r/${receipt.id}`, await metadataOf(service.baseUrl, `/receipt/${receipt.id}`)],
      [`/s/${statement.id}`, await metadataOf(service.baseUrl, `/statement/${statement.id}`)],
    ] as const) {
      // As long as before, with a word that no template has.
      await service.fault('storage', { forge: { id: file, from: 'USDC', to: 'USDX' } });
      const { page, context } = await visit(site, '/', { phone: true });
      const reader = await hearPage(page);
      await page.goto(path);
      await reader.hears(/^Verdict: Not genuine A check failed\. Do not rely on it\./);
      await reader.find('heading', 'Verdict: Not genuine');
      await page.getByText('Mismatch', { exact: true }).first().waitFor();
      expect([path, await violations(page), await overflow(page)]).toEqual([path, [], 0]);
      await context.close();
    }
  });

  test('a check that stays open is repeated at each press, and announced once', async ({
    site,
  }) => {
    const { id } = await freshReceipt(site.service);
    await awaitStatus(site.service, id);
    const { page, context } = await visit(site, '/');
    const reader = await hearPage(page);
    let asked = 0;
    await page.route(/web\.check/, async (route) => {
      asked += 1;
      const response = await route.fetch();
      const body = (await response.text())
        .replace('"verdict":"genuine"', '"verdict":"could not be checked"')
        .replace(/"checked_at":"[^"]+"/, `"checked_at":"2026-11-30T12:00:${10 + asked}.000Z"`);
      await route.fulfill({ response, body });
    });
    await page.goto(`/r/${id}`);
    await reader.hears(/^Verdict: Could not be checked No check failed/);
    const shown = async () => {
      const time = (await page.getByText(/12:00:\d\d/).textContent()) ?? '';
      return Number(/12:00:(\d\d)/.exec(time)?.[1]) - 10;
    };
    for (let press = 1; press <= 2; press += 1) {
      // The page also repeats the check without a press.
      const before = asked;
      await reader.press('button', 'Check again');
      await expect.poll(shown).toBeGreaterThan(before);
      await expect.poll(reader.focus).toBe('button | Check again');
    }
    await expect
      .poll(async () => (await reader.heard()).filter((one) => one.includes('Could not')))
      .toEqual([
        expect.stringContaining('No check failed'),
        'Verdict: Could not be checked',
        'Verdict: Could not be checked',
      ]);
    expect(reader.missed()).toEqual([]);
    await context.close();
  });

  test('a mint that restarts after the page was opened is followed, not checked for ever', async ({
    site,
  }) => {
    const { service } = site;
    const { id } = await freshReceipt(service);
    await awaitStatus(service, id);
    const { page, context } = await visit(site, '/');
    const reader = await hearPage(page);
    let letPass = () => {};
    const reopened = new Promise<void>((resolve) => (letPass = resolve));
    await page.route(/web\.check/, async (route) => {
      await reopened;
      await route.continue();
    });
    await page.goto(`/r/${id}`);
    await reader.find('heading', 'Verdict: Checking');
    // No job may start it.
    const redriveAt = new Date('2100-01-01T00:00:00Z');
    await service.prisma.mint.update({ where: { id }, data: { status: 'pending', redriveAt } });
    letPass();
    await reader.hears(/^Verdict: Being recorded on Solana /);
    await reader.find('list', 'Progress of the receipt');
    await context.close();
  });

  test('a statement is priced, paid and made, and each step is announced', async ({ site }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    await awaitFinal(service, [tx]);
    const { page, context, asked } = await visit(site, '/statements', { wallet: payer });
    const reader = await hearPage(page);
    await connectByEar(reader, 'Connect the wallet for this statement');
    await beginLastWeek(page);
    await reader.press('button', 'Preview and get price');
    await reader.hears('2 payments for 1.00 USDC');
    let prepared = 0;
    let letPass = () => {};
    const seen = new Promise<void>((resolve) => (letPass = resolve));
    await page.route(/web\.prepare/, async (route) => {
      prepared += 1;
      await seen;
      await route.continue();
    });
    await reader.press('button', 'Make the statement, 1.00 USDC');
    // A second press before the service has answered starts nothing.
    await page.keyboard.press('Enter');
    await reader.hears('Prepare the payment');
    await expect.poll(reader.focus).toBe('region | Progress');
    expect(await reader.has('button', /^Make the statement/)).toBe(false);
    letPass();
    await reader.hears('Approve the payment in your wallet');
    await reader.hears(/^Waiting for Test Wallet/);
    await reader.hears('Confirm the payment and write the statement');
    await reader.hears('The statement is ready.');
    await reader.find('heading', /^Statement STMT/);
    await expect.poll(reader.focus).toMatch(/^heading \| Statement STMT/);
    await reader.hears(/^Verdict: Genuine /);
    expect([prepared, asked]).toEqual([1, ['connection', 'transaction']]);
    expect(reader.missed().filter((words) => !words.startsWith('Verdict: '))).toEqual([]);
    await context.close();
  });
});

/** The id of the stored metadata, from the answer at this path. */
async function metadataOf(baseUrl: string, path: string): Promise<string> {
  const body: unknown = await (await fetch(new URL(path, baseUrl))).json();
  const uri = String(Reflect.get(Object(body), 'metadata_uri'));
  return new URL(uri).pathname.split('/').at(-1) ?? '';
}
