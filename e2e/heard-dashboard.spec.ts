import { makeWallet } from '@/devnet/client/wallet';
import { makePair, mint, pay } from '@/tests/harness/use-service';
import { failMint } from './harness/fail-mint';
import { connectByEar, hearPage } from './harness/hear-page';
import { visit } from './harness/open-page';
import { expect, test } from './harness/site';

/** The dashboard with keys and a screen reader alone. */
test.describe('the dashboard with a screen reader', () => {
  test('a rejected sign-in takes the focus, and the next one is announced', async ({ site }) => {
    const { page, context, behaviour, wallet } = await visit(site, '/dashboard');
    const reader = await hearPage(page);
    await connectByEar(reader);
    behaviour.rejects = 'message';
    await reader.press('button', 'Sign in');
    await reader.hears(/^Waiting for Test Wallet/);
    await expect
      .poll(reader.focus)
      .toMatch(/^group \| You are not signed in \| You rejected the request/);
    behaviour.rejects = 'nothing';
    await reader.press('button', 'Sign in');
    const short = `${wallet.address.slice(0, 4)}…${wallet.address.slice(-4)}`;
    await reader.hears(`Signed in as ${short}`);
    await reader.find('tab', 'Received');
    await expect.poll(reader.focus).not.toBe('');
    await reader.press('button', 'Sign out');
    await expect.poll(reader.focus).toMatch(/^heading \| /);
    expect(reader.missed()).toEqual([]);
    await context.close();
  });

  test('an account that the wallet switches to is announced, with the next step', async ({
    site,
  }) => {
    const [first, second] = [makeWallet(), makeWallet()];
    const { page, context, switchTo } = await visit(site, '/dashboard', { wallet: first });
    const reader = await hearPage(page);
    await connectByEar(reader);
    await reader.press('button', 'Sign in');
    await reader.hears(/^Signed in as /);
    await switchTo(page, second);
    await reader.hears(/^Test Wallet switched to /);
    await reader.hears(/^Test Wallet is on another account, .*: This page still shows /);
    await reader.press('button', /^Sign in with /);
    await reader.press('button', 'Sign in');
    await reader.hears(`Signed in as ${second.address.slice(0, 4)}…${second.address.slice(-4)}`);
    expect(reader.missed()).toEqual([]);
    await context.close();
  });

  test('a registration names a refused entry at its field, and says when it is on', async ({
    site,
  }) => {
    const { page, context } = await visit(site, '/dashboard');
    const reader = await hearPage(page);
    await connectByEar(reader);
    await reader.press('button', 'Sign in');
    await reader.press('tab', 'Automatic receipts', 'Space');
    await reader.write('Business name', 'Corner café');
    await reader.write('Purpose of payments', 'https://link.example');
    await reader.press('button', 'Sign and turn on');
    await reader.hears(/Links aren’t allowed here\.$/);
    await expect
      .poll(reader.focus)
      .toMatch(/^textbox \| Purpose of payments \| .*Links aren’t allowed here\.$/);
    await reader.write('Purpose of payments', 'Bread');
    await reader.press('button', 'Sign and turn on');
    await reader.hears('Automatic receipts are on');
    await reader.find('button', 'Turn off');
    await expect.poll(reader.focus).not.toBe('');
    expect(reader.missed()).toEqual([]);
    await context.close();
  });

  test('a retry that did not start says why in place, and one that did is announced', async ({
    site,
  }) => {
    const { service } = site;
    // Storage that does not answer holds the proof back.
    await service.fault('storage', { down: true });
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { body } = await mint(service, { signature, wallet: payer });
    await failMint(service, String(body['receipt_id']));
    const { page, context } = await visit(site, '/dashboard', { wallet: seller });
    const reader = await hearPage(page);
    await connectByEar(reader);
    await reader.press('button', 'Sign in');
    await page.route(/dashboard\.retry/, (route) => route.abort());
    await reader.press('button', 'Try again');
    await expect.poll(reader.focus).toMatch(/^group \| The retry did not start \| The service did/);
    await page.unroute(/dashboard\.retry/);
    await reader.press('button', 'Try again');
    await reader.hears('The proof is being made again.');
    await page.route(/dashboard\.totals/, (route) => route.abort());
    await reader.press('tab', 'Paid', 'Space');
    await reader.hears('The totals could not be loaded.');
    await reader.press('button', 'Try again');
    await expect
      .poll(reader.focus, { timeout: 60_000 })
      .toMatch(/^group \| The totals could not be loaded/);
    expect(reader.missed()).toEqual([]);
    await context.close();
  });
});
