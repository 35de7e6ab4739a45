import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from '@/devnet/client/wallet';
import { factsOfRow } from '@/server/receipts/receipt-codec';
import { drawReceipt } from '@/server/receipts/draw-receipt';
import { parseItem } from '@quittance/verify/storage/item-format';
import { clearOfMidnight } from './harness/clear-of-midnight';
import { signOffer } from './harness/sign-offer';
import { startService, type TestService } from './harness/start-service';
import { register, runCron, signIn } from './harness/use-dashboard';
import { makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { awaitStatus, makePair, mint, pay } from './harness/use-service';

/**
 * An address of a university in Helsinki, as a proxy passes it on. No answer lists Finland among its
 * countries.
 */
const ADDRESS = '128.214.6.139';
const FROM_FI = { 'x-forwarded-for': ADDRESS };
const FROM_JP = { 'x-forwarded-for': '133.11.0.1' };
const FROM_NOWHERE = { 'x-forwarded-for': '192.168.1.1' };
const ADMIN_TOKEN = 'an-admin-token-of-32-characters-!';
/** The country as a separate word. Inside base58 or base64 two letters mean nothing. */
const TRACE = /(?<![\w+/=-])FI(?![\w+/=-])|Finland|128\.214\.6\.139|(?<!\w)80d6:0?68b/;

let service: TestService;
beforeAll(async () => {
  service = await startService({
    env: {
      TRUSTED_PROXY_HOPS: '1',
      ADMIN_TOKEN,
      JURISDICTION_YEARS: '7',
      // For the last test: one fee is waived a day.
      AUTO_RECEIPTS_FREE: '1',
      AUTO_RECEIPTS_FREE_DAILY: '1',
    },
  });
});
afterAll(() => service.close());

async function receipted(headers: Record<string, string>, by: 'payer' | 'seller' = 'payer') {
  const pair = await makePair(service);
  const signature = await pay(service, { from: pair.payer, to: pair.seller, amount: 250_000n });
  const { body, status } = await mint(service, { signature, wallet: pair[by], headers });
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...pair, signature, id: String(body['receipt_id']) };
}
const rowOf = (receiptId: string) =>
  service.prisma.payerJurisdiction.findUnique({ where: { receiptId } });
const PERIOD = { first_day: '2020-01-01', last_day: '2099-12-31' };
const rowsOf = async (wallet: Wallet, role: 'seller' | 'payer') => {
  const browser = await signIn(service, wallet);
  const { rows } = (await browser.query('dashboard.rows', { ...PERIOD, role })) as {
    rows: Record<string, unknown>[];
  };
  return rows;
};

describe('the country of a payer', () => {
  it('is recorded for the payer alone, never for a seller or a payment by its signature alone', async () => {
    const own = await receipted(FROM_FI);
    expect(await rowOf(own.id)).toMatchObject({ country: 'FI', method: 'ip_geolocation' });
    const sellers = await receipted(FROM_FI, 'seller');
    expect(await rowOf(sellers.id)).toBeNull();
    const sale = await makeSale(service);
    const offer = offerOf(await mint(service, { signature: sale.signature }));
    const payment = await payOffer(service, { from: sale.payer, offer });
    const paid = await mintPaid(service, { signature: sale.signature, payment, headers: FROM_FI });
    expect(paid.status).toBe(200);
    expect(await rowOf(String(paid.body['receipt_id']))).toBeNull();
  });

  it('is recorded with a payment that the payer signed for this request', async () => {
    const sale = await makeSale(service);
    const answer = await mint(service, { signature: sale.signature });
    const signed = await signOffer(service, { answer, from: sale.payer, version: 'v2' });
    const paid = await mint(service, {
      signature: sale.signature,
      headers: { ...signed, ...FROM_JP },
    });
    expect(paid.status, JSON.stringify(paid.body)).toBe(200);
    expect(await rowOf(String(paid.body['receipt_id']))).toMatchObject({ country: 'JP' });
  });

  it('is recorded for a client that sends its EVM address with every request', async () => {
    const sale = await makeSale(service);
    const foreign = {
      'X-Wallet-Address': '0x52908400098527886E0F7030069857D2E4169EE7',
      ...FROM_JP,
    };
    const answer = await mint(service, { signature: sale.signature, headers: foreign });
    const signed = await signOffer(service, { answer, from: sale.payer, version: 'v2' });
    const paid = await mint(service, {
      signature: sale.signature,
      headers: { ...signed, ...foreign },
    });
    expect(paid.status, JSON.stringify(paid.body)).toBe(200);
    expect(await rowOf(String(paid.body['receipt_id']))).toMatchObject({ country: 'JP' });
  });

  it('is filled in by the payer’s first call from a known place, and stays', async () => {
    const { id, signature, payer, seller } = await receipted(FROM_NOWHERE);
    expect(await rowOf(id)).toMatchObject({ country: null });
    const again = (wallet: Wallet, headers: Record<string, string>) =>
      mint(service, { signature, wallet, headers });
    expect((await again(seller, FROM_FI)).status).toBe(409);
    expect(await rowOf(id)).toMatchObject({ country: null });
    expect((await again(payer, FROM_JP)).status).toBe(409);
    expect(await rowOf(id)).toMatchObject({ country: 'JP' });
    expect((await again(payer, FROM_FI)).status).toBe(409);
    expect(await rowOf(id)).toMatchObject({ country: 'JP' });
  });

  it('is not taken from a claim of the client', async () => {
    const { id } = await receipted({ 'x-forwarded-for': `${ADDRESS}, 133.11.0.1` });
    expect(await rowOf(id)).toMatchObject({ country: 'JP' });
    const { id: other } = await receipted({ ...FROM_JP, 'x-quittance-peer': ADDRESS });
    expect(await rowOf(other)).toMatchObject({ country: 'JP' });
  });

  it('is shown to the seller of the receipt, in the dashboard and its CSV, and not to the payer', async () => {
    const { payer, seller, id } = await receipted(FROM_FI);
    expect(await rowsOf(seller, 'seller')).toMatchObject([{ receipt_id: id, payer_country: 'FI' }]);
    const [seen] = await rowsOf(payer, 'payer');
    expect(seen).toMatchObject({ receipt_id: id });
    expect(Object.keys(seen ?? {})).not.toContain('payer_country');
    const query = new URLSearchParams({ ...PERIOD, country: 'US' }).toString();
    const asSeller = await signIn(service, seller);
    expect(await asSeller.query('dashboard.countries', PERIOD)).toEqual({
      countries: [{ country: 'FI', count: 1, usd_amount: '0.25' }],
    });
    const file = await (await asSeller.get(`/dashboard/receipts.csv?role=seller&${query}`)).text();
    expect(file.split('\r\n')[0]).toMatch(/,private_label,payer_country,payer_country_basis$/);
    expect(file.split('\r\n')[1]).toMatch(/,FI,ip_geolocation$/);
    const asPayer = await signIn(service, payer);
    expect(await asPayer.query('dashboard.countries', PERIOD)).toEqual({ countries: [] });
    const own = await (await asPayer.get(`/dashboard/receipts.csv?role=payer&${query}`)).text();
    expect(own).toContain(id);
    expect(own).not.toMatch(TRACE);
  });

  it('is deleted by the daily job when its retention ends', async () => {
    const [old, young] = [await receipted(FROM_FI), await receipted(FROM_FI)];
    const recordedAt = new Date();
    recordedAt.setUTCFullYear(recordedAt.getUTCFullYear() - 7);
    await service.prisma.payerJurisdiction.update({
      where: { receiptId: old.id },
      data: { recordedAt },
    });
    await runCron(service, 'tidy-up');
    expect([await rowOf(old.id), (await rowOf(young.id))?.country]).toEqual([null, 'FI']);
  });

  it('is deleted after as many years as the privacy page says', async () => {
    const page = await (await fetch(`${service.baseUrl}/privacy`)).text();
    expect(page.replaceAll('<!-- -->', '')).toContain('after 7 years');
  });

  it('is stored nowhere else: no answer, page, image, log line, stored item or column has it', async () => {
    const { payer, seller, signature, id } = await receipted(FROM_FI);
    await awaitStatus(service, id);
    const receipt = await service.prisma.receipt.findUniqueOrThrow({ where: { id } });
    const other = `counterparty=${payer.address}`;
    const formats = ['json', 'csv', 'koinly', 'cointracker', 'coinledger', 'rotki', 'xero'];
    const paths = [
      ...[`/receipt/${id}`, `/receipt/${id}/metadata.json`, `/mint/status/${id}`, `/r/${id}`],
      ...[`/verify/${signature}`, `/calculate/${signature}?country=GB`, '/pricing', '/health'],
      ...[`/wallet/${seller.address}/receipts?${other}`, '/.well-known/quittance.json', '/'],
      ...formats.map((format) => `/wallet/${seller.address}/export?country=GB&format=${format}`),
      ...[`/admin/payments/${signature}`, '/admin/mints', '/dashboard', '/docs', '/openapi.json'],
      `/receipt/${id}/proof`,
    ];
    const authorization = `Bearer ${ADMIN_TOKEN}`;
    for (const path of paths) {
      const answer = await fetch(new URL(path, service.baseUrl), {
        headers: { authorization, ...FROM_FI },
      });
      const head = JSON.stringify([...answer.headers]);
      expect(`${head}\n${await answer.text()}`, path).not.toMatch(TRACE);
    }
    const image = new Uint8Array(
      await (await fetch(new URL(`/receipt/${id}/image.png`, service.baseUrl))).arrayBuffer(),
    );
    // The image comes from public facts alone, so drawing it from the row gives the same bytes.
    const facts = factsOfRow(receipt, { network: 'local', publicUrl: service.baseUrl });
    expect(Buffer.compare(image, await drawReceipt(facts))).toBe(0);
    const items = await service.prisma.storedItem.findMany();
    for (const { raw, contentType } of items) {
      const item = parseItem(raw);
      const text = contentType === 'image/png' ? '' : Buffer.from(item?.data ?? raw).toString();
      expect(`${JSON.stringify(item?.tags)} ${text}`).not.toMatch(TRACE);
    }
    const logged = readFileSync(service.app.logFile ?? '', 'utf8');
    expect(logged).toContain('"route":"/mint"');
    expect(logged).not.toMatch(TRACE);
    expect(await columnsWithTrace(service)).toEqual(['public.payer_jurisdictions']);
  });
});

it('waives the fee of automatic receipts as often as the day allows, largest first', async () => {
  await clearOfMidnight();
  const { payer, seller } = await makePair(service);
  await register(service, seller);
  const large = await pay(service, { from: payer, to: seller, amount: 25_000_000n });
  const small = await pay(service, { from: payer, to: seller, amount: 5_000_000n });
  // The largest of all is not on the chain, so it waits and uses up no place.
  await service.prisma.autoTransfer.create({
    data: {
      txSignature: '5'.repeat(87),
      state: 'fee_due',
      seller: seller.address,
      usdMicros: 10n ** 12n,
      lookAt: new Date(),
      createdAt: new Date(),
      updatedAt: new Date(),
    },
  });
  const state = async (txSignature: string) => {
    const row = await service.prisma.autoTransfer.findUnique({ where: { txSignature } });
    return row && { state: row.state, waived: row.waived };
  };
  await expect
    .poll(
      async () => {
        await runCron(service, 'find-transfers');
        return [await state(large), await state(small)];
      },
      { timeout: 90_000, interval: 500 },
    )
    .toEqual([
      { state: 'receipted', waived: true },
      { state: 'fee_due', waived: false },
    ]);
  // A second run on the same day waives no further fee.
  await runCron(service, 'find-transfers');
  expect(await state(small)).toEqual({ state: 'fee_due', waived: false });
  const receipts = await service.prisma.receipt.findMany({ where: { seller: seller.address } });
  expect(receipts.map(({ txSignature }) => txSignature)).toEqual([large]);
});

/** Tables of all schemas that have the country or the address in any column of a row. */
async function columnsWithTrace(at: TestService): Promise<string[]> {
  const client = new Client({ connectionString: at.databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select row_to_json(t)::text as row from "${schema}"."${name}" t`,
    );
    if (rows.some(({ row }) => TRACE.test(row))) found.push(`${schema}.${name}`);
  }
  await client.end();
  return found;
}
