import {
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  ACCOUNT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { sendAndConfirm, TOKENS } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { clearOfMidnight } from './harness/clear-of-midnight';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { awaitClosed, call, callsOfNode, makePair, mint, pay } from './harness/use-service';
import { withoutJobs } from './harness/without-jobs';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

const item = z.strictObject({
  tx_signature: z.string(),
  amount: z.number(),
  amount_raw: z.string(),
  block_time: z.iso.datetime(),
  slot: z.number(),
  status: z.string(),
  receipt_id: z.string().nullable(),
});
const side = z.strictObject({
  count: z.number(),
  total_usdc: z.number(),
  total_usdc_raw: z.string(),
  transfers: z.array(item),
});
const listing = z.strictObject({
  success: z.literal(true),
  wallet: z.string(),
  counterparty: z.string(),
  period_start: z.iso.date(),
  period_end: z.iso.date(),
  complete: z.boolean(),
  sent: side,
  received: side,
});

const ask = (wallet: string, query: Record<string, string>) =>
  call(service, `/wallet/${wallet}/receipts?${new URLSearchParams(query).toString()}`);
async function list(wallet: Wallet, counterparty: Wallet, query: Record<string, string> = {}) {
  const { status, body } = await ask(wallet.address, {
    counterparty: counterparty.address,
    ...query,
  });
  expect(body, JSON.stringify(body)).toMatchObject({ success: true });
  expect(status).toBe(200);
  return listing.parse(body);
}
/** Waits until the node says that a transaction is final. */
async function settled(signature: string): Promise<void> {
  for (;;) {
    const { body } = await call(service, `/verify/${signature}`);
    if (z.object({ status: z.string() }).parse(body['transaction']).status === 'settled') return;
  }
}
const USDC = new PublicKey(TOKENS.USDC.mint);
const today = () => new Date().toISOString().slice(0, 10);

describe('GET /wallet/{address}/receipts', () => {
  it('lists USDC both ways between the two, newest first, with exact totals and receipts', async () => {
    const { payer, seller } = await makePair(service);
    const other = makeWallet();
    await fundWallet(service.rpcUrl, { wallet: payer.address, token: 'EURC', amount: '5' });
    await fundWallet(service.rpcUrl, { wallet: seller.address, sol: 1 });
    const first = await pay(service, { from: payer, to: seller, amount: 100_001n });
    const second = await pay(service, { from: payer, to: seller, amount: 200_002n });
    const back = await pay(service, { from: seller, to: payer, amount: 50_000n });
    await pay(service, { from: payer, to: other, amount: 7n });
    await pay(service, { from: payer, to: seller, amount: 9n, token: 'EURC' });
    const { body } = await mint(service, { signature: first, wallet: payer });

    const found = await list(payer, seller);
    expect(found).toMatchObject({
      wallet: payer.address,
      counterparty: seller.address,
      period_end: today(),
      complete: true,
      sent: { count: 2, total_usdc: 0.300003, total_usdc_raw: '300003' },
      received: { count: 1, total_usdc: 0.05 },
    });
    expect(found.sent.transfers.map((one) => one.tx_signature)).toEqual([second, first]);
    expect(found.sent.transfers.map((one) => one.receipt_id)).toEqual([null, body['receipt_id']]);
    expect(found.sent.transfers[1]).toMatchObject({ amount: 0.100001, amount_raw: '100001' });
    expect(found.received.transfers[0]?.tx_signature).toBe(back);
    const mirrored = await list(seller, payer);
    expect(mirrored.received.transfers.map((one) => one.tx_signature)).toEqual([second, first]);
    expect(mirrored.sent.total_usdc).toBe(0.05);
    // The job of the mint reads transactions as well, which the next test counts.
    await awaitClosed(service, String(body['receipt_id']));
  });

  it('reads a final transaction from the chain once, by whichever route', async () => {
    const { payer, seller } = await makePair(service);
    const signatures = [];
    for (let n = 1n; n <= 3n; n += 1n)
      signatures.push(await pay(service, { from: payer, to: seller, amount: n }));
    await settled(signatures.at(-1) ?? '');
    const once = await list(payer, seller);
    await withoutJobs(service, async () => {
      await service.fault('chain', null);
      expect(await list(payer, seller)).toEqual(once);
      expect(await list(seller, payer)).toMatchObject({ received: { count: 3 } });
      expect((await callsOfNode(service))['getTransaction'] ?? 0).toBe(0);
    });
  });

  it('stops with 503 when the chain fails in the middle, and the repeat reads only the rest', async () => {
    const { payer, seller } = await makePair(service);
    const signatures = [];
    for (let n = 1n; n <= 40n; n += 1n)
      signatures.push(pay(service, { from: payer, to: seller, amount: n }));
    for (const signature of await Promise.all(signatures)) await settled(signature);
    await service.prisma.readTransfer.deleteMany({
      where: { signature: { in: await Promise.all(signatures) } },
    });
    await service.fault('chain', null);
    await service.fault('chain', { delayMs: { getTransaction: 500 } });
    const running = ask(payer.address, { counterparty: seller.address });
    while (((await callsOfNode(service))['getTransaction'] ?? 0) < 20)
      await new Promise((r) => setTimeout(r, 5));
    await service.fault('chain', { failMethods: { getTransaction: { status: 503 } } });
    const refused = await running;
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ success: false, code: 'chain_unavailable' });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    const kept = await service.prisma.readTransfer.count({
      where: { signature: { in: await Promise.all(signatures) } },
    });
    expect(kept).toBeGreaterThanOrEqual(1);
    await withoutJobs(service, async () => {
      await service.fault('chain', null);
      expect((await list(payer, seller)).sent.count).toBe(40);
      // The history also has the payment of the faucet.
      expect((await callsOfNode(service))['getTransaction']).toBeLessThanOrEqual(41 - kept);
    });
  });

  it('finds transfers to an account that the wallet has since closed', async () => {
    const { payer, seller } = await makePair(service);
    await fundWallet(service.rpcUrl, { wallet: seller.address, sol: 1 });
    await pay(service, { from: payer, to: seller, amount: 1n });
    // Makes the payer's history the longer one, so that the service reads the seller's.
    for (let n = 0; n < 6; n += 1)
      await pay(service, { from: payer, to: makeWallet(), amount: 1n });
    const extra = makeWallet();
    const ata = (owner: Wallet) => getAssociatedTokenAddressSync(USDC, owner.keypair.publicKey);
    const key = extra.keypair.publicKey;
    const owner = seller.keypair.publicKey;
    await sendAndConfirm(
      service.rpcUrl,
      new Transaction().add(
        SystemProgram.createAccount({
          fromPubkey: owner,
          newAccountPubkey: key,
          space: ACCOUNT_SIZE,
          lamports: 2_039_280,
          programId: TOKEN_PROGRAM_ID,
        }),
        createInitializeAccount3Instruction(key, USDC, owner),
      ),
      [seller.keypair, extra.keypair],
    );
    const hidden = await sendAndConfirm(
      service.rpcUrl,
      new Transaction().add(
        createTransferCheckedInstruction(ata(payer), USDC, key, payer.keypair.publicKey, 777n, 6),
      ),
      [payer.keypair],
    );
    await sendAndConfirm(
      service.rpcUrl,
      new Transaction().add(
        createTransferCheckedInstruction(key, USDC, ata(seller), owner, 777n, 6),
        createCloseAccountInstruction(key, owner, owner),
      ),
      [seller.keypair],
    );
    const found = await list(seller, payer);
    expect(found.complete).toBe(true);
    expect(found.received.transfers.map((one) => one.tx_signature)).toContain(hidden);
    expect(found.received.total_usdc_raw).toBe('778');
    // The answer from the database is the same.
    expect((await list(seller, payer)).received).toMatchObject({ count: 2 });
  });

  it('takes dates as whole UTC days, both included', async () => {
    await clearOfMidnight();
    const { payer, seller } = await makePair(service);
    await pay(service, { from: payer, to: seller, amount: 5n });
    const day = today();
    expect((await list(payer, seller, { period_start: day, period_end: day })).sent.count).toBe(1);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    expect((await list(payer, seller, { period_end: yesterday })).sent.count).toBe(0);
    expect(await list(payer, seller, { period_end: '2026-03-01' })).toMatchObject({
      period_start: '2025-03-01',
    });
    // The 366 days of a leap year, and one more.
    const year = { period_start: '2024-01-01', period_end: '2024-12-31' };
    expect((await list(payer, seller, year)).sent.count).toBe(0);
    const longer = { ...year, period_end: '2025-01-01' };
    expect((await ask(payer.address, { counterparty: seller.address, ...longer })).status).toBe(
      400,
    );
  });

  it('answers two wallets without any USDC with empty lists', async () => {
    const found = await list(makeWallet(), makeWallet());
    expect(found).toMatchObject({
      complete: true,
      sent: { count: 0, transfers: [], total_usdc: 0 },
    });
  });

  const one = makeWallet().address;
  const two = makeWallet().address;
  it.each([
    ['an invalid address', 'nonsense', { counterparty: two }, 'address'],
    ['a signature as the counterparty', one, { counterparty: `${one}${two}` }, 'counterparty'],
    ['no counterparty', one, {}, 'counterparty'],
    ['the same wallet twice', one, { counterparty: one }, 'counterparty'],
    [
      'a reversed period',
      one,
      { counterparty: two, period_start: '2026-02-02', period_end: '2026-02-01' },
      'period_start',
    ],
    [
      'a period that begins in the future',
      one,
      { counterparty: two, period_start: '2999-01-01' },
      'period_start',
    ],
    [
      'a day that is not in the calendar',
      one,
      { counterparty: two, period_start: '2026-02-30' },
      'period_start',
    ],
    [
      'a date with a time',
      one,
      { counterparty: two, period_end: '2026-02-03T00:00:00Z' },
      'period_end',
    ],
    [
      'a misspelt parameter',
      one,
      { counterparty: two, period_strat: '2026-02-03' },
      'period_strat',
    ],
  ])('refuses %s', async (_, wallet, query, field) => {
    const { status, body } = await ask(wallet, query as Record<string, string>);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, status_code: 400, code: 'invalid_request' });
    expect(Object.keys(body['details'] ?? {})).toContain(field);
  });
});
