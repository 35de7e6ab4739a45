import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearOfMidnight } from './harness/clear-of-midnight';
import { countNfts } from './harness/count-nfts';
import { describeMetricsOf } from './harness/describe-metrics-of';
import { describeProofOf } from './harness/describe-proof-of';
import { runNode } from './harness/run-command';
import { sendRaw } from './harness/send-raw';
import { startSecondApp } from './harness/start-app';
import { startService, type TestService } from './harness/start-service';
import { callProcedure } from './harness/use-dashboard';
import { awaitStatus, call, freshReceipt, makePair, mint, pay } from './harness/use-service';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet } from '@/devnet/client/wallet';
import { makeSale, offerOf, payOffer } from './harness/use-payments';
import { buyTwoStatements } from './harness/use-statements';

const TOKEN = 'operator-of-the-tests-0123456789abcdef';
const NEXT_TOKEN = 'operator-who-took-over-0123456789abcdef';
let service: TestService;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'quittance-operations-'));
  service = await startService({ env: { ADMIN_TOKEN: TOKEN } });
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true, force: true });
});

describeProofOf(() => ({ service, dir }));

describe('two processes that share their limits', () => {
  let one: Awaited<ReturnType<typeof startSecondApp>>;
  let other: Awaited<ReturnType<typeof startSecondApp>>;
  beforeAll(async () => {
    await fundWallet(service.rpcUrl, { wallet: next.address, token: 'USDC', amount: '0.000001' });
    const limited = {
      LIMITS: 'reads=4,paid=3,wallet=2,free_pair=1,rpc=2',
      TRUSTED_PROXY_HOPS: '1',
    };
    const start = (env: Record<string, string>) =>
      startSecondApp({ ...service, appEnv: { ...service.appEnv, ...limited, ...env } });
    [one, other] = await Promise.all([
      start({ PAY_TO: next.address, ADMIN_TOKEN: NEXT_TOKEN }),
      start({ PAUSE: 'mint', PAUSE_TEXT: 'Back at noon.' }),
    ]);
  });
  afterAll(() => Promise.all([one.stop(), other.stop()]));
  const next = makeWallet();
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const unknown = '/receipt/000000000000';

  it('refuse a client address together, whatever it claims to be forwarded for', async () => {
    const answers = [];
    for (const [index, app] of [one, other, one, other, one].entries())
      answers.push(await call(app, unknown, { headers: from(`10.0.0.${index}, 203.0.113.1`) }));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 429]);
    const [first, , , , last] = answers;
    expect(first?.headers.get('ratelimit-limit')).toBe('4');
    expect(first?.headers.get('ratelimit-remaining')).toBe('3');
    expect(last?.body).toEqual({ error: expect.stringContaining('Too many requests') });
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(other, unknown, { headers: from('203.0.113.2') })).status).toBe(404);
    // A health probe counts for no client.
    expect((await call(other, '/health', { headers: from('203.0.113.1') })).status).not.toBe(429);
  });

  it('refuse paid routes sooner, and a client that has used up its calls to the chain', async () => {
    const post = (app: TestService) =>
      call(app, '/mint', {
        method: 'POST',
        headers: { ...from('203.0.113.3'), 'content-type': 'application/json' },
        body: '{}',
      });
    const answers = [await post(one), await post(other), await post(one), await post(other)];
    expect(answers.map(({ status }) => status)).toEqual([402, 503, 402, 429]);
    expect(answers[1]?.body).toMatchObject({ code: 'paused', error: 'Back at noon.' });
    const { payer, seller } = await makePair(service);
    const statuses = [];
    // Each transaction is read once, because final ones are stored and cost no further call.
    for (const amount of [1n, 2n, 3n, 4n]) {
      const signature = await pay(service, { from: payer, to: seller, amount });
      const headers = from('203.0.113.4');
      statuses.push((await call(one, `/verify/${signature}`, { headers })).status);
    }
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
  });

  it('limit sign-ins like paid requests, and still let a page ask for its payment', async () => {
    const headers = { ...from('203.0.113.9'), origin: one.baseUrl };
    const ask = (path: string, input: object) =>
      callProcedure(one, { path, input, headers, method: 'POST' }).then(
        () => 'ok',
        (error: Error) => error.message,
      );
    const address = makeWallet().address;
    const begun = [];
    for (let n = 0; n < 4; n += 1) begun.push(await ask('session.begin', { address }));
    expect(begun).toEqual(['ok', 'ok', 'ok', 'rate_limited']);
    expect(await service.prisma.signInNonce.count()).toBe(3);
    expect(await ask('web.resume', { quote_id: `QT${'0'.repeat(18)}` })).toBe('quote_unknown');
  });

  it('accept offers from before PAY_TO and the admin token changed, and not the old token', async () => {
    const sale = await makeSale(service);
    const offer = offerOf(await mint(service, { signature: sale.signature }));
    const payment = await payOffer(service, { from: sale.payer, offer });
    const ask = (address: string, headers: Record<string, string> = {}) =>
      mint(one, { signature: sale.signature, headers: { ...from(address), ...headers } });
    expect(offerOf(await ask('203.0.113.20')).payTo).toBe(next.address);
    expect(offer.payTo).not.toBe(next.address);
    const bought = await ask('203.0.113.21', { 'x-payment': payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    expect(
      await service.prisma.payment.findUnique({ where: { signature: payment } }),
    ).toMatchObject({ state: 'used', payTo: offer.payTo });
    const held = (token: string) =>
      call(one, '/admin/held', {
        headers: { ...from('203.0.113.22'), authorization: `Bearer ${token}` },
      });
    expect((await held(TOKEN)).status).toBe(401);
    expect((await held(NEXT_TOKEN)).status).toBe(200);
  });

  it('have budgets of free receipts, and limits that only a wallet’s own proof uses up', async () => {
    await clearOfMidnight();
    const { payer, seller } = await makePair(service);
    const [a, b, c] = [
      await pay(service, { from: payer, to: seller, amount: 250_001n }),
      await pay(service, { from: payer, to: seller, amount: 250_002n }),
      await pay(service, { from: payer, to: seller, amount: 250_003n }),
    ];
    const ask = (signature: string, address: string, headers: Record<string, string> = {}) =>
      mint(one, { signature, wallet: payer, headers: { ...from(address), ...headers } });
    const forged = await ask(a, '203.0.113.5', { 'x-wallet-signature': '1'.repeat(64) });
    expect(forged.status).toBe(401);
    expect((await ask(a, '203.0.113.6')).status).toBe(200);
    const spent = await ask(b, '203.0.113.7');
    expect(spent.status).toBe(429);
    expect(spent.body).toEqual({ error: expect.stringMatching(/1 free receipts .* 00:00 UTC/) });
    expect(await service.prisma.receipt.count({ where: { payer: payer.address } })).toBe(1);
    const tooMany = await ask(c, '203.0.113.8');
    expect([tooMany.status, tooMany.body]).toEqual([
      429,
      { error: expect.stringContaining('Too many requests') },
    ]);
  });
});

describe('operators', () => {
  const admin = (path: string, body?: object) =>
    call(service, path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('retry a failed mint on its exactly-once path and are refused a completed one, with an audit row each', async () => {
    const { id } = await freshReceipt(service);
    await awaitStatus(service, id);
    const refused = await admin(`/admin/mints/${id}/retry`, {});
    expect([refused.status, refused.body['code']]).toEqual([409, 'mint_not_failed']);

    await service.fault('storage', { status: { code: 422, times: 50 } });
    const { id: failing } = await freshReceipt(service);
    await awaitStatus(service, failing, { wanted: ['failed'] });
    await service.fault('storage', null);
    const listed = await admin('/admin/mints?status=failed');
    expect(JSON.stringify(listed.body['mints'])).toContain(failing);
    expect((await admin(`/admin/mints/${failing}/retry`, {})).status).toBe(200);
    await awaitStatus(service, failing);
    const story = await admin(`/admin/mints/${failing}`);
    expect(story.body['tries']).toHaveLength(1);
    expect(story.body['audit']).toContainEqual(
      expect.objectContaining({ actor: 'admin', action: 'mint.retry', subject: failing }),
    );
    expect((await admin('/admin/mints/retry', {})).body).toMatchObject({ retried: [] });
  });

  it('see and re-queue waiting work, which no one else can do', async () => {
    await service.fault('storage', { down: true });
    const { id } = await freshReceipt(service);
    const held = async () => JSON.stringify((await admin('/admin/held')).body);
    await expect.poll(held, { interval: 300 }).toContain(id);
    const released = await admin('/admin/held/release', { receipt_ids: [id] });
    expect(released.body['released']).toEqual([id]);
    await service.fault('storage', null);
    expect(await service.prisma.auditEntry.count({ where: { action: 'mint.release' } })).toBe(1);

    // The recorded country of a payer can be deleted only by this path.
    const { payer } = await service.prisma.receipt.findUniqueOrThrow({ where: { id } });
    const where = { payer };
    const wallet = { wallet_address: payer };
    const headers = { 'content-type': 'application/json' };
    const unnamed = { method: 'POST', headers, body: JSON.stringify(wallet) };
    expect((await call(service, '/admin/forget', unnamed)).status).toBe(401);
    expect(await service.prisma.payerJurisdiction.count({ where })).toBe(1);
    const run = await runAdmin(['forget', payer]);
    expect([run.code, run.output]).toEqual([0, expect.stringContaining(payer)]);
    expect(await service.prisma.payerJurisdiction.count({ where })).toBe(0);
    expect(
      await service.prisma.auditEntry.count({
        where: { action: 'jurisdiction.forget', subject: payer, actor: 'admin' },
      }),
    ).toBe(1);
    expect((await admin('/admin/forget', wallet)).status).toBe(200);
    expect((await admin('/admin/forget', { wallet_address: 'nobody' })).status).toBe(400);

    // A label that may not be shown: a note replaces it everywhere but in the signed files.
    const image = async () =>
      Buffer.from(await (await fetch(`${service.baseUrl}/receipt/${id}/image.png`)).arrayBuffer());
    const list = `/wallet/${payer}/export?country=US&format=json`;
    const pageOf = async () => (await fetch(new URL(`/r/${id}`, service.baseUrl))).text();
    const [label, drawn] = ['API access', await image()];
    const meta = ((await pageOf()).match(/<meta [^>]*>/g) ?? []).join();
    expect([meta.includes('og:description'), meta.includes(label)]).toEqual([true, false]);
    const why = 'It names a private person';
    expect((await call(service, '/admin/labels/hide', unnamed)).status).toBe(401);
    expect((await admin('/admin/labels/hide', { receipt_id: id })).status).toBe(400);
    const unknown = await admin('/admin/labels/hide', { ...wallet, reason: why });
    expect(unknown.status).toBe(404);
    expect(JSON.stringify(unknown.body)).toContain(`The wallet ${payer} was never registered.`);
    const hiding = await runAdmin(['hide', id, ...why.split(' ')]);
    expect([hiding.code, hiding.output]).toEqual([0, expect.stringContaining('"hidden": true')]);
    const note = { service_type: 'Hidden by the operator', labels_hidden: true };
    expect((await call(service, `/receipt/${id}`)).body).toMatchObject(note);
    const page = await pageOf();
    expect([page.includes(label), page.includes('hid what was written here')]).toEqual([
      false,
      true,
    ]);
    expect(JSON.stringify((await call(service, list)).body)).not.toContain(label);
    expect((await image()).equals(drawn)).toBe(false);
    const { body: facts } = await call(service, `/receipt/${id}/metadata.json`);
    expect(JSON.stringify(facts)).toContain(label);
    const { body: story } = await admin(`/admin/mints/${id}`);
    expect(story['audit']).toContainEqual(
      expect.objectContaining({ action: 'labels.hide', actor: 'admin', detail: { reason: why } }),
    );
    const again = { receipt_id: id, hidden: false, reason: 'The person agreed to it' };
    expect((await admin('/admin/labels/hide', again)).status).toBe(200);
    expect([(await pageOf()).includes(label), (await image()).equals(drawn)]).toEqual([true, true]);

    for (const path of ['/admin/mints', '/admin/held', `/admin/mints/${id}`])
      expect((await call(service, path)).status).toBe(401);
  });
});

describe('a database from an old backup', () => {
  it('gets its receipts, their files and their payments back from the chain', async () => {
    const { prisma } = service;
    const sale = await makeSale(service);
    const offer = await mint(service, { signature: sale.signature });
    const payment = await payOffer(service, { from: sale.payer, offer: offerOf(offer) });
    const bought = await mint(service, {
      signature: sale.signature,
      headers: { 'x-payment': payment },
    });
    const id = String(bought.body['receipt_id']);
    await awaitStatus(service, id);
    const stage = async () => (await prisma.mint.findUniqueOrThrow({ where: { id } })).stage;
    await expect.poll(stage, { interval: 300 }).toBe('closed');
    const { sold, underWay, statements } = await buyTwoStatements(service, sale);
    const old = makeWallet();
    const toOld = await pay(service, { from: sale.payer, to: old, amount: 100_000n });
    const before = await call(service, `/receipt/${id}`);
    const files = { where: { id: { in: [] as string[] } } };
    const row = await prisma.mint.findUniqueOrThrow({ where: { id } });
    files.where.id.in = [row.metadataItemId, row.imageItemId];
    const kept = await prisma.storedItem.findMany({ ...files, orderBy: { id: 'asc' } });
    await prisma.payment.deleteMany({ where: { signature: payment } });
    await prisma.mintAttempt.deleteMany({ where: { mintId: id } });
    await prisma.mint.delete({ where: { id } });
    await prisma.receipt.delete({ where: { id } });
    await prisma.storedItem.deleteMany(files);

    // One statement was sold after the backup. The backup has the other one, but not its mint.
    await prisma.payment.deleteMany({ where: { subjectId: sold } });
    await prisma.mintAttempt.deleteMany({ where: { mintId: { in: statements } } });
    await prisma.mint.delete({ where: { id: sold } });
    await prisma.statementRow.deleteMany({ where: { statementId: sold } });
    await prisma.statement.delete({ where: { id: sold } });
    const minted = await prisma.mint.update({
      where: { id: underWay },
      data: {
        status: 'pending',
        stage: 'metadata_stored',
        mintSignature: null,
        mintSlot: null,
        assetId: null,
        leafIndex: null,
        tree: null,
        completedAt: null,
        finalAt: null,
        redriveAt: new Date(Date.now() + 3_600_000),
      },
    });
    expect(minted.status).toBe('pending');

    const run = await runAdmin(['rebuild', '--pay-to', old.address]);
    expect(run.output).toMatch(
      /1 receipts, 2 used and \d+ unused payments were restored, and the NFTs of 1 statements/,
    );
    expect(run.output).toContain(`the rows of statement ${sold} of ${sale.payer.address}`);
    expect(await prisma.payment.findFirst({ where: { subjectId: sold } })).toMatchObject({
      state: 'used',
      payer: sale.payer.address,
      priceMicros: 1_000_000n,
    });
    expect(await prisma.mint.findUnique({ where: { id: underWay } })).toMatchObject({
      kind: 'statement',
      status: 'completed',
      assetId: expect.any(String),
    });
    expect(await prisma.payment.findUnique({ where: { signature: toOld } })).toMatchObject({
      state: 'unused',
      payTo: old.address,
      payer: sale.payer.address,
    });
    expect((await call(service, `/receipt/${id}`)).body).toEqual(before.body);
    const again = await prisma.storedItem.findMany({ ...files, orderBy: { id: 'asc' } });
    expect(again.map(({ raw }) => Buffer.from(raw))).toEqual(
      kept.map(({ raw }) => Buffer.from(raw)),
    );
    expect(await prisma.payment.findUniqueOrThrow({ where: { signature: payment } })).toMatchObject(
      {
        state: 'used',
        subjectId: id,
      },
    );
    const rival = await mint(service, { signature: sale.signature });
    expect([rival.status, rival.body['receipt_id']]).toEqual([409, id]);
    expect(await countNfts(service.rpcUrl, sale.payer.address)).toBe(3);
  });
});

describe('answers', () => {
  it('carry policies that let nothing foreign run, on pages with their own nonce', async () => {
    const page = await fetch(new URL('/', service.baseUrl));
    const policy = page.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    const html = await page.text();
    const scripts = html.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    const again = await fetch(new URL('/', service.baseUrl));
    expect(again.headers.get('content-security-policy')).not.toBe(policy);
    // Wallet apps answer at a port of the phone itself, and nowhere else.
    const android = { 'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/150.0' };
    const phone = await fetch(new URL('/', service.baseUrl), { headers: android });
    const allowed = (from: Response) =>
      /connect-src [^;]*/.exec(from.headers.get('content-security-policy') ?? '')?.[0];
    expect(allowed(page)).toBe("connect-src 'self'");
    expect(allowed(phone)).toBe("connect-src 'self' ws://localhost:*");
    const json = await call(service, '/pricing');
    for (const { headers } of [page, json]) {
      expect(headers.get('strict-transport-security')).toContain('max-age=');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    }
    expect(json.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('to paths that cannot be decoded and to unknown methods are errors like any other', async () => {
    for (const path of ['/receipt/%', '/%E0%A4%A', '/r/%c0', '/s/%zz'])
      expect(await sendRaw(service, 'GET', path)).toMatchObject({
        status: 400,
        code: 'invalid_request',
      });
    expect(await sendRaw(service, 'GET', '/%00')).toMatchObject({
      status: 404,
      code: 'path_not_found',
    });
    for (const method of ['TRACE', 'PROPFIND'])
      expect(await sendRaw(service, method, '/mint')).toMatchObject({
        status: 405,
        code: 'method_not_allowed',
      });
  });
});

describeMetricsOf(() => service);

/** Runs `npm run admin -- …` with the settings of the service. */
function runAdmin(args: string[]) {
  const words = ['--import', 'tsx', 'scripts/admin.ts', ...args, '--url', service.baseUrl];
  return runNode(words, { cwd: process.cwd(), env: { ...service.appEnv, ADMIN_TOKEN: TOKEN } });
}
