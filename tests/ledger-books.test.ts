import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, PublicKey } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet } from '@/devnet/client/wallet';
import { startAnotherApp } from './harness/start-another-app';
import { startLedgerService, type LedgerService } from './harness/use-ledger';
import { mintPaid } from './harness/use-payments';

/** Longest age of a metric. */
const LATER = { timeout: 90_000, interval: 500 };

/** For a test that starts a second process of the app. Includes its drain time. */
const STARTS_ANOTHER_MS = 240_000;

let desk: LedgerService;
beforeAll(async () => {
  desk = await startLedgerService();
});
afterAll(() => desk.service.close());
afterEach(() => desk.service.fault('chain', null));

describe('a refund and a purchase with one payment, over two processes', () => {
  it(
    'never both succeed',
    async () => {
      const other = await startAnotherApp({
        env: desk.service.appEnv,
        onCrash: console.error,
      });
      const base = { ...desk.service, baseUrl: other.baseUrl };
      let [refunded, bought] = [0, 0];
      for (let round = 0; round < 6; round += 1) {
        const { payer, signature, payment, offer } = await desk.paidSale();
        // From another wallet of the operator, so that only the record can stop the purchase.
        const operatorWallet = makeWallet();
        await fundWallet(desk.service.rpcUrl, {
          wallet: operatorWallet.address,
          sol: 1,
          token: 'USDC',
          amount: '1',
        });
        const back = await desk.final(
          await payToken(desk.service.rpcUrl, {
            from: operatorWallet,
            to: payer.address,
            token: 'USDC',
            amount: offer.amount,
          }),
        );
        const [one, two] = await Promise.all([
          desk.refund(payment, back, base),
          sleep(round * 15).then(() => mintPaid(desk.service, { signature, payment })),
        ]);
        const isRefunded = one.status === 200;
        const receipts = await desk.receiptsOf(signature);
        expect([isRefunded, receipts], JSON.stringify([one.body, two.body])).toEqual(
          isRefunded ? [true, 0] : [false, 1],
        );
        refunded += isRefunded ? 1 : 0;
        bought += receipts;
      }
      expect(refunded + bought).toBe(6);
      await other.stop();
    },
    STARTS_ANOTHER_MS,
  );
});

describe('the books', () => {
  it('add up to the balance of the chain, by token, in the metrics and in the command', async () => {
    const { payment, signature } = await desk.paidSale();
    expect((await mintPaid(desk.service, { signature, payment })).status).toBe(200);
    await desk.final(payment);
    await desk.scan();
    await explainAll();
    const { body } = await desk.admin('/admin/reconciliation');
    expect(body, JSON.stringify(body)).toMatchObject({ success: true, agrees: true });
    const tokens = body['tokens'] as Record<string, string>[];
    const micro = (text: string | undefined) => Math.round(Number(text) * 1e6);
    for (const one of tokens) {
      const [came, bought, refunded, unused] = [
        one['came_in'],
        one['bought'],
        one['refunded'],
        one['unused'],
      ].map(micro);
      expect(came, one['token']).toBe((bought ?? 0) + (refunded ?? 0) + (unused ?? 0));
      expect(one['difference'], one['token']).toBe('0');
    }
    const connection = new Connection(desk.service.rpcUrl, 'finalized');
    const sol = tokens.find(({ token }) => token === 'SOL');
    expect(Math.round(Number(sol?.['balance']) * 1e9)).toBe(
      await connection.getBalance(new PublicKey(desk.payTo.address)),
    );
    expect(await desk.service.prisma.ledgerReconciliation.count()).toBe(tokens.length);
    const text = await desk.metrics();
    expect(text).toContain('quittance_ledger_difference{token="USDC",kind="rows"} 0');
    expect(text).toContain('quittance_ledger_difference{token="USDC",kind="unbacked"} 0');
    const usdc = tokens.find(({ token }) => token === 'USDC');
    for (const figure of ['came_in', 'bought', 'refunded', 'unused', 'withdrawn', 'balance'])
      expect(text).toContain(
        `quittance_ledger_books{token="USDC",figure="${figure}"} ${Number(usdc?.[figure])}`,
      );
    expect(micro(usdc?.['bought'])).toBeGreaterThan(0);
    expect(sumOf(text, 'fees_usdc_total') - sumOf(text, 'fees_undone_usdc_total')).toBe(
      micro(usdc?.['bought']),
    );
  });

  it('show a purchase without money, and a withdrawal without a record', async () => {
    const out = await desk.giveBack(makeWallet().address, 30_000n);
    const { payment, signature } = await desk.paidSale();
    expect((await mintPaid(desk.service, { signature, payment })).status).toBe(200);
    await desk.scan();
    await desk.service.prisma.ledgerEntry.deleteMany({ where: { signature: payment } });
    const { body } = await desk.admin('/admin/reconciliation');
    // The balance did not agree, so the scan of this call found the row again.
    expect(body).toMatchObject({ agrees: false });
    const usdc = (body['tokens'] as Record<string, string>[]).find(({ token }) => token === 'USDC');
    expect(usdc).toMatchObject({ unexplained: '0.03' });
    await expect
      .poll(desk.metrics, LATER)
      .toContain('quittance_ledger_difference{token="USDC",kind="unexplained"} 0.03');
    expect((await desk.withdrawal(out)).status).toBe(200);
  });
});

/** A metric summed over all its labels, in millionths. */
function sumOf(text: string, name: string): number {
  const values = [...text.matchAll(new RegExp(`^quittance_${name}\\{.*\\} (\\S+)$`, 'gm'))];
  return values.reduce((sum, [, value]) => sum + Math.round(Number(value) * 1e6), 0);
}

/** Records every open transfer as a withdrawal, so that the books agree. */
async function explainAll(): Promise<void> {
  const { body } = await desk.admin('/admin/reconciliation');
  for (const { signature } of body['unexplained'] as { signature: string }[])
    expect((await desk.withdrawal(signature)).status).toBe(200);
}

describe('a scan that is disturbed', () => {
  it('by a node that shortens a history: the difference is shown, and the row is not lost', async () => {
    const { payment } = await desk.paidSale();
    await desk.service.fault('chain', { shortenHistory: [payment] });
    await desk.scan();
    await expect
      .poll(desk.metrics, LATER)
      .toContain('quittance_ledger_difference{token="USDC",kind="rows"} 0.1');
    expect(await desk.entries(payment)).toEqual([]);
    await desk.service.fault('chain', null);
    await desk.scan();
    expect(await desk.entries(payment)).toMatchObject([{ direction: 'in', amountRaw: 100_000n }]);
  });

  it(
    'by a kill in the middle, and by a second process: no row is lost or doubled',
    async () => {
      const sales = await Promise.all(Array.from({ length: 5 }, () => desk.paidSale()));
      await desk.service.fault('chain', { delayMs: { getTransaction: 150 } });
      const dying = desk.scan().catch(() => undefined);
      await sleep(400);
      await desk.service.app.kill();
      await desk.service.app.start();
      await desk.service.fault('chain', null);
      await dying;
      const other = await startAnotherApp({
        env: desk.service.appEnv,
        onCrash: console.error,
      });
      await Promise.all([
        desk.admin('/admin/reconciliation'),
        desk.admin('/admin/reconciliation', {}, { ...desk.service, baseUrl: other.baseUrl }),
        desk.scan(),
      ]);
      await other.stop();
      for (const { payment } of sales)
        expect(await desk.entries(payment)).toMatchObject([
          { direction: 'in', amountRaw: 100_000n },
        ]);
      const accounts = await desk.service.prisma.ledgerAccount.findMany({
        where: { differenceRaw: { not: 0n } },
      });
      expect(accounts).toEqual([]);
    },
    STARTS_ANOTHER_MS,
  );
});
