import { makeWallet } from '@/devnet/client/wallet';
import { makePair, pay } from '@/tests/harness/use-service';
import { askFor, connect, visit } from './harness/open-page';
import { focused } from './harness/read-aloud';
import { expect, test } from './harness/site';

const DONE = { name: 'Your receipt is ready' };

/** The wallet that a page works with, and how long it remembers it. */
test.describe('the wallet of a page', () => {
  test('distinguishes a wrong wallet from a wrong network, before anything is signed', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const stranger = await visit(site, '/');
    await connect(stranger.page);
    await stranger.page.getByLabel('Which payment?').fill(tx);
    await stranger.page.getByText('This wallet is not part of the payment').first().waitFor();
    expect(stranger.asked).toEqual(['connection']);
    await stranger.context.close();
    const behaviour = { chains: ['solana:mainnet'] };
    const { page, asked, context } = await visit(site, '/', { wallet: payer, behaviour });
    await connect(page);
    await askFor(page, tx);
    await page.getByText('Your wallet is on another network').first().waitFor();
    expect(asked).toEqual(['connection']);
    await context.close();
  });

  test('keeps the wallet over pages and reloads, and follows it to another account', async ({
    site,
  }) => {
    const { service } = site;
    const { payer, seller } = await makePair(service);
    const stranger = makeWallet();
    const tx = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { page, asked, switchTo, complaints, context } = await visit(site, '/', {
      wallet: payer,
    });
    await connect(page);
    const connected = page.getByRole('button', { name: 'Disconnect' });
    await page.getByRole('link', { name: 'Statements' }).click();
    await page.getByRole('button', { name: 'Preview and get price' }).waitFor();
    await expect(connected).toHaveCount(1);
    await page.goto('/');
    await connected.waitFor();
    await page.getByLabel('Which payment?').fill(tx);
    await page.getByLabel('What was it for?').waitFor();
    await switchTo(page, stranger);
    await page.getByText(`Test Wallet switched to ${stranger.address.slice(0, 4)}`).waitFor();
    await page.getByText('This wallet is not part of the payment').first().waitFor();
    await page.reload();
    await page.getByLabel(`Connected wallet ${stranger.address}`).waitFor();
    await expect(page.getByLabel('Which payment?')).toHaveValue(tx);
    await switchTo(page, payer);
    await page.getByLabel(`Connected wallet ${payer.address}`).waitFor();
    expect(asked).toEqual(['connection']);
    await askFor(page, tx);
    await page.getByRole('heading', DONE).waitFor();
    await page.goto('/');
    await connected.click();
    await page.getByRole('button', { name: 'Connect wallet' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Connect wallet' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('quittance-wallet'))).toBeNull();
    expect([asked, complaints]).toEqual([['connection', 'message'], []]);
    await context.close();
  });

  test('forgets the wallet with the page if its owner wants that', async ({ site }) => {
    const { page, asked, answered, behaviour, context } = await visit(site, '/');
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByLabel('Remember the wallet in this browser').uncheck();
    // The dialog survives a wallet that rejects the connection or leaves it open.
    behaviour.rejects = 'connection';
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await page.getByText('You rejected the connection in Test Wallet').first().waitFor();
    await expect
      .poll(() => focused(page))
      .toContain('group | No wallet is connected | You rejected');
    behaviour.rejects = 'nothing';
    behaviour.ignores = 'connection';
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await page.getByText('You stopped waiting for Test Wallet').first().waitFor();
    // A late yes to an earlier request leaves no later one open.
    behaviour.ignores = 'nothing';
    await expect.poll(() => answered).toEqual(['connection']);
    await page.getByRole('button', { name: 'Test Wallet' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await expect(page.getByLabel('Remember the wallet in this browser')).not.toBeChecked();
    expect(asked).toEqual(['connection', 'connection', 'connection']);
    await context.close();
  });
});
