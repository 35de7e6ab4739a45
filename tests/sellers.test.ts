import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { refuse } from '@quittance/verify/chain/transfer';
import { differenceOf } from '@quittance/verify/images/compare-images';
import { drawHere } from '@quittance/verify/images/draw-sheet';
import { sheetOfReceipt } from '@quittance/verify/images/sheet-of-proof';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { clearOfMidnight } from './harness/clear-of-midnight';
import { endLeases } from './harness/end-leases';
import { startService, type TestService } from './harness/start-service';
import {
  awaitIdle,
  callProcedure,
  fireCron,
  register,
  runCron,
  signIn,
  unregister,
} from './harness/use-dashboard';
import { awaitFinal } from './harness/use-statements';
import { call, makePair, mint, pay } from './harness/use-service';

const WEBHOOK_SECRET = 'a-secret-of-the-sender';
let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { WEBHOOK_SECRET, TRUSTED_PROXY_HOPS: '1' } });
});
afterAll(() => service.close());

async function until<T>(look: () => Promise<T | null>, what: string, again?: () => Promise<void>) {
  const deadline = Date.now() + 90_000;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (Date.now() > deadline) throw new Error(`never seen: ${what}`);
    await again?.();
    await sleep(50);
  }
}

describe('signing in', () => {
  const begin = async (wallet: Wallet, origin = service.baseUrl) => {
    const { data } = await callProcedure(service, {
      path: 'session.begin',
      method: 'POST',
      headers: { origin },
      input: { address: wallet.address },
    });
    return (data as { message: string }).message;
  };
  const complete = (wallet: Wallet, message: string, o: { by?: Wallet; origin?: string } = {}) =>
    callProcedure(service, {
      path: 'session.complete',
      method: 'POST',
      headers: { origin: o.origin ?? service.baseUrl },
      input: {
        address: wallet.address,
        signed_message: Buffer.from(message).toString('base64'),
        signature: (o.by ?? wallet).signText(message),
      },
    });

  it('opens a session by a cookie that scripts cannot read, with a message that works once', async () => {
    const wallet = makeWallet();
    const message = await begin(wallet);
    const { cookies } = await complete(wallet, message);
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^quittance=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
    await expect(complete(wallet, message)).rejects.toThrow('sign_in_invalid');
  });

  it('refuses a message for another domain, another wallet, or signed by another wallet', async () => {
    const [wallet, other] = [makeWallet(), makeWallet()];
    const message = await begin(wallet);
    const host = new URL(service.baseUrl).host;
    for (const [text, o] of [
      [message.replace(host, 'evil.example'), {}],
      [message.replace(wallet.address, other.address), {}],
      [message, { by: other }],
      [message.replace(/Expiration Time: .*/, 'Expiration Time: 2020-01-01T00:00:00.000Z'), {}],
      [message.replace(/\nExpiration Time: .*/, ''), {}],
      [message.replace(/Nonce: .*/, 'Nonce: 1111111111111111'), {}],
    ] as const)
      await expect(complete(wallet, text, o), text).rejects.toThrow('sign_in_invalid');
    await complete(wallet, message);
  });

  it('works from our own pages alone, and a foreign page cannot use the cookie', async () => {
    const wallet = makeWallet();
    const origin = 'https://evil.example';
    await expect(begin(wallet, origin)).rejects.toThrow('origin_refused');
    const { cookie } = await signIn(service, wallet);
    const read = (headers: Record<string, string>) =>
      callProcedure(service, { path: 'session.read', headers: { cookie, ...headers } });
    expect((await read({})).data).toMatchObject({ wallet: wallet.address });
    expect((await read({ origin })).data).toBeNull();
    expect((await read({ 'sec-fetch-site': 'cross-site' })).data).toBeNull();
    const csv = await fetch(`${service.baseUrl}/dashboard/receipts.csv`, {
      headers: { cookie, 'sec-fetch-site': 'same-site' },
    });
    expect(csv.status).toBe(401);
  });

  it('ends: the cookie is worth nothing afterwards', async () => {
    const browser = await signIn(service, makeWallet());
    await browser.mutate('session.end');
    expect(await browser.query('session.read')).toBeNull();
    await expect(browser.query('dashboard.attention')).rejects.toThrow('not_signed_in');
  });
});

const PERIOD = { first_day: '2020-01-01', last_day: '2099-12-31' };
type Rows = { rows: Record<string, unknown>[]; next: unknown };

describe('the dashboard', () => {
  it('lists the receipts of the wallet that signed in, by side, with its own notes', async () => {
    const { payer, seller } = await makePair(service);
    const signatures = [];
    for (const amount of [250_000n, 260_000n, 270_000n])
      signatures.push(await pay(service, { from: payer, to: seller, amount }));
    for (const [i, signature] of signatures.entries())
      await mint(service, { signature, wallet: payer, body: { invoice_id: `INV-10${i}` } });
    const asSeller = await signIn(service, seller);
    const asPayer = await signIn(service, payer);
    const list = (browser: typeof asSeller, input: object) =>
      browser.query('dashboard.rows', { ...PERIOD, ...input }) as Promise<Rows>;

    const first = await list(asSeller, { role: 'seller', limit: 2 });
    const second = await list(asSeller, { role: 'seller', limit: 2, cursor: first.next });
    const seen = [...first.rows, ...second.rows];
    // In the order of the chain, newest first, also within one second.
    expect(seen.map((row) => row['tx_signature'])).toEqual([...signatures].reverse());
    expect(second.next).toBeNull();
    expect(seen.map((row) => row['amount']).sort()).toEqual(['0.25', '0.26', '0.27']);
    expect(seen[0]).toMatchObject({ counterparty: payer.address });
    expect((await list(asSeller, { role: 'payer' })).rows).toEqual([]);
    expect((await list(asPayer, { role: 'payer' })).rows).toHaveLength(3);

    const id = String(seen[0]?.['receipt_id']);
    await asSeller.mutate('dashboard.setLabel', { receipt_id: id, label: 'Table nine' });
    const noted = await list(asSeller, { role: 'seller', search: 'table nin' });
    expect(noted.rows.map((row) => row['label'])).toEqual(['Table nine']);
    const others = (await list(asPayer, { role: 'payer', search: id })).rows;
    expect(others.map((row) => row['label'])).toEqual([null]);
    expect((await list(asSeller, { role: 'seller', search: 'inv-101' })).rows).toHaveLength(1);
    expect((await list(asSeller, { role: 'seller', search: '101 api acc' })).rows).toHaveLength(1);
    expect((await list(asSeller, { role: 'seller', search: 'pi' })).rows).toEqual([]);
    for (const nothing of ['%', "' & !x:*", 'é'])
      expect((await list(asSeller, { role: 'seller', search: nothing })).rows).toEqual([]);
    const stranger = await signIn(service, makeWallet());
    await expect(
      stranger.mutate('dashboard.setLabel', { receipt_id: id, label: 'mine' }),
    ).rejects.toThrow('not_a_participant');

    const totals = await asSeller.query('dashboard.totals', {
      ...PERIOD,
      role: 'seller',
      country: 'DE',
    });
    expect(totals).toMatchObject({
      count: 3,
      usd_amount: '0.78',
      currency: 'EUR',
      without_rate: 0,
    });
  });
});

describe('a registration', () => {
  it('needs the wallet’s own proof of the body, with the current time, and only once', async () => {
    const [seller, other] = [makeWallet(), makeWallet()];
    const codeOf = async (answer: Promise<Response>) => {
      const response = await answer;
      const body = (await response.json()) as Record<string, unknown>;
      return `${response.status} ${String(body['code'] ?? 'ok')}`;
    };
    const late = new Date(Date.now() - 11 * 60_000).toISOString();
    const time = new Date().toISOString();
    const bare = { 'x-wallet-address': other.address };
    expect(await codeOf(register(service, seller, { country: 'Germany' }))).toBe(
      '400 invalid_request',
    );
    expect(await codeOf(register(service, seller, { time: late }))).toBe('401 proof_time_wrong');
    expect(await codeOf(register(service, seller, { headers: bare }))).toBe(
      '401 wallet_proof_invalid',
    );
    expect(await codeOf(register(service, seller, { time }))).toBe('200 ok');
    expect(await codeOf(register(service, seller, { time }))).toBe('401 proof_time_wrong');
    const again = await register(service, seller, { business_name: 'Corner  café' });
    expect(await again.json()).toMatchObject({
      success: true,
      wallet_address: seller.address,
      business_name: 'Corner café',
      country: 'DE',
      service_type: 'Bread',
      auto_receipts: true,
    });
    const row = await service.prisma.registration.findUniqueOrThrow({
      where: { walletAddress: seller.address },
    });
    expect(row.updatedAt.getTime()).toBeGreaterThan(row.registeredAt.getTime());
    expect(await codeOf(unregister(service, seller))).toBe('200 ok');
    expect(await codeOf(unregister(service, seller))).toBe('404 registration_not_found');
  });

  it('shows the seller’s name on the page of a receipt, and in no file of its NFT', async () => {
    const { payer, seller } = await makePair(service);
    await register(service, seller, { business_name: 'Zanzibar bakery' });
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { body } = await mint(service, { signature, wallet: payer });
    const id = String(body['receipt_id']);
    const bytesOf = async (path: string) =>
      new Uint8Array(await (await fetch(new URL(path, service.baseUrl))).arrayBuffer());
    expect(Buffer.from(await bytesOf(`/r/${id}`)).toString()).toContain('Zanzibar bakery');
    const metadata = await bytesOf(`/receipt/${id}/metadata.json`);
    expect(Buffer.from(metadata).toString()).not.toMatch(/zanzibar/i);
    // The image has the facts of the metadata, and nothing else.
    const payment = refuse('transaction_not_found', 'the metadata lists all legs');
    const reading = sheetOfReceipt({ metadata, payment, network: 'local' });
    if (!reading.ok) throw new Error(reading.why);
    const drawn = await drawHere(reading.sheet, { [FACTS_KEY]: factsDigest(metadata) });
    expect(differenceOf(await bytesOf(`/receipt/${id}/image.png`), drawn)).toBeNull();
  });
});

const stateOf = (txSignature: string) =>
  service.prisma.autoTransfer.findUnique({ where: { txSignature } });
const settled = async (txSignature: string) => {
  const row = await stateOf(txSignature);
  return row && row.state !== 'noted' ? row : null;
};
const find = () => runCron(service, 'find-transfers');

describe('automatic receipts', () => {
  it('begin with the registration: small ones are minted, larger ones wait for their fee', async () => {
    const { payer, seller } = await makePair(service);
    const before = await pay(service, { from: payer, to: seller, amount: 200_000n });
    // The block of the registration is after that of the earlier payment.
    const old = await call(service, `/verify/${before}`);
    const slotBefore = (old.body['transaction'] as { slot: number }).slot;
    await register(service, seller);
    const { fromSlot } = await service.prisma.registration.findUniqueOrThrow({
      where: { walletAddress: seller.address },
    });
    const small = await pay(service, { from: payer, to: seller, amount: 300_000n });
    const dust = await pay(service, { from: payer, to: seller, amount: 9_999n });
    const large = await pay(service, { from: payer, to: seller, amount: 25_000_000n });
    await awaitFinal(service, [small, dust, large]);
    const row = await until(() => settled(small), 'the receipt of a small one', find);
    expect(row).toMatchObject({ state: 'receipted', seller: seller.address });
    const receipt = await service.prisma.receipt.findUniqueOrThrow({
      where: { id: row.receiptId ?? '' },
    });
    expect(receipt).toMatchObject({ automatic: true, serviceType: 'Bread', reportedBy: 'seller' });
    const minted = await service.prisma.mint.findUniqueOrThrow({ where: { id: receipt.id } });
    expect(minted.owner).toBe(payer.address);
    expect(await until(() => settled(large), 'a fee that is due', find)).toMatchObject({
      state: 'fee_due',
    });
    expect(await until(() => settled(dust), 'a payment that is too small', find)).toMatchObject({
      state: 'skipped',
      reason: 'below_smallest',
    });
    if (BigInt(slotBefore) < fromSlot) expect((await stateOf(before))?.state).not.toBe('receipted');
    const dashboard = await signIn(service, seller);
    expect(await dashboard.query('dashboard.attention')).toMatchObject({
      fee_due: { count: 1, items: [{ tx_signature: large, amount: '25', fee: '0.1' }] },
    });
  });

  it('miss and double nothing when the service dies in the middle of its work', async () => {
    const { payer, seller } = await makePair(service);
    await register(service, seller);
    const signatures: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const amount = 100_000n + BigInt(n);
      signatures.push(await pay(service, { from: payer, to: seller, amount }));
      if (n === 1 || n === 3) {
        await awaitFinal(service, signatures);
        await fireCron(service, 'find-transfers');
        // The payment is noted and its receipt queued. Everything noted, read and written so far
        // stays.
        await until(() => stateOf(signatures[n] ?? ''), 'work');
        await service.app.kill();
        await endLeases(service);
        await service.app.start();
      }
    }
    await awaitFinal(service, signatures);
    for (const signature of signatures)
      await until(() => settled(signature), `the receipt of ${signature}`, find);
    await find();
    const rows = await service.prisma.receipt.findMany({ where: { seller: seller.address } });
    expect(rows.map((row) => row.txSignature).sort()).toEqual([...signatures].sort());
    await unregister(service, seller);
    // A run that began before may still read it.
    await awaitIdle(service, 'find-transfers');
    const after = await pay(service, { from: payer, to: seller, amount: 123_456n });
    const marker = makeWallet();
    await register(service, marker);
    const next = await pay(service, { from: payer, to: marker, amount: 111_111n });
    await awaitFinal(service, [after, next]);
    await until(() => settled(next), 'a later payment', find);
    expect(await stateOf(after)).toBeNull();
  });

  it('wait when the day’s free receipts are used up, and are minted when there are more', async () => {
    await clearOfMidnight();
    const { payer, seller } = await makePair(service);
    await register(service, seller);
    const key = [payer.address, seller.address].sort().join(':');
    const day = new Date(new Date().toISOString().slice(0, 10));
    const pair = { day_scope_key: { day, scope: 'pair' as const, key } };
    // As many as a pair of wallets gets on the embedded stack.
    await service.prisma.freeMint.create({ data: { day, scope: 'pair', key, used: 500 } });
    const signature = await pay(service, { from: payer, to: seller, amount: 320_000n });
    const held = await until(
      async () => {
        const row = await stateOf(signature);
        return row?.reason === 'free_mints_spent' ? row : null;
      },
      'a transfer that is held',
      find,
    );
    // Until the next day.
    expect(held.lookAt.toISOString()).toMatch(/T00:00:0\d/);
    expect(held.state).toBe('noted');
    await service.prisma.freeMint.update({ where: pair, data: { used: 499 } });
    await service.prisma.autoTransfer.update({
      where: { txSignature: signature },
      data: { lookAt: new Date() },
    });
    expect((await until(() => settled(signature), 'its receipt', find)).state).toBe('receipted');
    expect(await service.prisma.freeMint.findUnique({ where: pair })).toMatchObject({ used: 500 });
  });

  it('are minted for a webhook’s payment, whatever else it claims, for its secret alone', async () => {
    const { payer, seller } = await makePair(service);
    await register(service, seller);
    const signature = await pay(service, { from: payer, to: seller, amount: 310_000n });
    const tell = (body: unknown, authorization = WEBHOOK_SECRET) =>
      call(service, '/webhooks/solana', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify(body),
      });
    expect((await tell([signature], 'wrong')).status).toBe(401);
    const event = { signature, type: 'TRANSFER', tokenTransfers: [{ tokenAmount: 1_000_000 }] };
    const raw = { transaction: { signatures: [signature], message: {} }, meta: {} };
    expect((await tell([event, raw])).body).toMatchObject({ success: true, received: 2 });
    expect((await tell({ signatures: [signature] })).body).toMatchObject({ received: 1, noted: 0 });
    expect((await tell([{ signature: 'nonsense' }])).status).toBe(400);
    // By the job that a webhook starts, and by the job that runs each minute.
    const found = () =>
      service.prisma.$queryRaw`select 1 from runner.runs where fn_id like '%issue-receipts'`;
    expect(await found()).not.toEqual([]);
    await until(() => settled(signature), 'the receipt', find);
    const rows = await service.prisma.receipt.findMany({ where: { txSignature: signature } });
    expect(rows.map((row) => row.amountRaw)).toEqual([310_000n]);
    // A payment after the end of the registration gets no receipt, even if a webhook names it.
    await unregister(service, seller);
    const after = await pay(service, { from: payer, to: seller, amount: 312_000n });
    await tell([after]);
    const row = await until(() => settled(after), 'what became of a later one', find);
    expect(row).toMatchObject({ state: 'skipped', reason: 'not_registered', receiptId: null });
  });
});
