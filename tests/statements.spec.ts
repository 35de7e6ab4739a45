import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { toDecimal } from '@quittance/verify/money';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import {
  checkStatement,
  type StatementEvidence,
} from '@quittance/verify/statements/check-statement';
import { gatherStatement } from '@/server/statements/gather-statement';
import { countNfts } from './harness/count-nfts';
import { tokenBalance } from './harness/make-payment';
import { ensureVerifier } from '@/scripts/ensure-verifier';
import { checkByPython } from './harness/check-by-python';
import { runNode, runPage, runVerify } from './harness/run-command';
import { signOffer } from './harness/sign-offer';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { decodeHeader, offerOf, payOffer } from './harness/use-payments';
import {
  aroundNow,
  askStatement,
  awaitFinal,
  buy,
  makeAgent,
  payTimes,
} from './harness/use-statements';
import { callProcedure } from './harness/use-dashboard';
import { call, mint, pay } from './harness/use-service';
import { tempFolder } from '@/tests/harness/temp-folder';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterEach(() => service.fault('chain', null));

const item = z.looseObject({
  tx_signature: z.string(),
  role: z.enum(['payer', 'seller']),
  token: z.string(),
  amount_raw: z.string(),
  usd_amount_raw: z.string(),
  receipt_id: z.string().nullable(),
});
const itemsOf = (body: Record<string, unknown>) => z.array(item).parse(body['transactions']);
const paymentOf = (signature: string) =>
  service.prisma.payment.findUnique({ where: { signature } });

/** A wallet with three payments in two tokens, both ways. One has a receipt. */
async function makeBusiness() {
  const [agent, shop] = [await makeAgent(service), makeWallet()];
  await fundWallet(service.rpcUrl, { wallet: agent.address, token: 'EURC', amount: '5' });
  await fundWallet(service.rpcUrl, { wallet: shop.address, sol: 1 });
  const first = await pay(service, { from: agent, to: shop, amount: 300_000n });
  const back = await pay(service, { from: shop, to: agent, amount: 100_001n });
  const euro = await pay(service, { from: agent, to: shop, amount: 2_000_000n, token: 'EURC' });
  const { body } = await mint(service, { signature: first, wallet: agent });
  await awaitFinal(service, [first, back, euro]);
  return { agent, shop, first, back, euro, receiptId: String(body['receipt_id']) };
}

/** Writes the proof, CSV and one row's proof as files, with a node and the issuer's keys. */
async function checkAsAStranger(o: { id: string; csv: Uint8Array; first: string; back: string }) {
  const proof = (await call(service, `/statement/${o.id}/proof`)).body;
  const { transactions, ...alone } = proof;
  expect(transactions).toHaveLength(3);
  const files = {
    'issuer.json': (await call(service, '/.well-known/quittance.json')).body,
    'proof.json': proof,
    'alone.json': alone,
    'row.json': (await call(service, `/statement/${o.id}/proof/${o.back}`)).body,
  };
  const dir = mkdtempSync(join(tmpdir(), 'quittance-verify-'));
  try {
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(dir, name), JSON.stringify(content));
    writeFileSync(join(dir, 'good.csv'), o.csv);
    writeFileSync(join(dir, 'bad.csv'), Buffer.from(o.csv).toString().replace('0.3,', '0.4,'));
    const trust = ['--issuer', 'issuer.json', '--rpc', service.rpcUrl];
    const csv = (name: string) => ['--csv', name];
    const [whole, one, bad, unasked] = await Promise.all([
      runVerify(dir, ['proof.json', ...csv('good.csv'), '--member', o.first, ...trust]),
      runVerify(dir, ['alone.json', '--member', 'row.json', ...trust]),
      runVerify(dir, [
        'proof.json',
        ...csv('bad.csv'),
        '--member',
        mintSignatureOf(proof),
        ...trust,
      ]),
      runVerify(dir, ['proof.json', '--rows', 'none', ...trust]),
    ]);
    expect(await runPage(service, { dir, statementId: o.id })).toMatch(/Verdict: genuine\n$/);
    for (const id of ['merkle_root', 'totals', 'rows_on_chain', 'csv_rows', 'membership'])
      expect(whole.output).toMatch(new RegExp(`held {5}${id} `));
    expect([whole.code, whole.output]).toEqual([0, expect.stringContaining('Verdict: genuine')]);
    expect(one.output).toMatch(/held {5}membership [^]*held {5}member_on_chain/);
    expect(one.output).toMatch(/unknown {2}rows_shown /);
    expect([one.code, one.output]).toEqual([2, expect.not.stringContaining('totals')]);
    for (const id of ['csv_hash', 'csv_rows', 'membership'])
      expect(bad.output).toMatch(new RegExp(`failed {3}${id} `));
    expect(bad.output).toMatch(/unknown {2}member_on_chain /);
    expect([bad.code, bad.output]).toEqual([1, expect.stringContaining('3 failed, 1 unknown')]);
    expect(unasked.output).toMatch(/unknown {2}rows_on_chain /);
    expect([unasked.code, unasked.output]).toEqual([
      2,
      expect.stringContaining('Verdict: could not be checked'),
    ]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
const mintSignatureOf = (proof: Record<string, unknown>) => String(proof['mint_signature']);

const livingCheck = z.looseObject({
  verdict: z.string(),
  lines: z.array(z.looseObject({ id: z.string(), outcome: z.string() })),
});

/** The check that pages show, and the proof, without an index of assets as well. */
async function checkOnPages(o: { id: string; receiptId: string }) {
  const check = async (path: string, input: object) => {
    const { verdict, lines } = livingCheck.parse(
      (await callProcedure(service, { path, input })).data,
    );
    return [verdict, ...lines.map(({ id, outcome }) => `${id} ${outcome}`)];
  };
  const rest = ['storage held', 'nft held', 'tree held'];
  expect(await check('web.checkStatement', { statement_id: o.id })).toEqual([
    ...['genuine', 'rows held', ...rest],
  ]);
  await expect(check('web.checkStatement', { statement_id: 'STMT00000000' })).rejects.toThrow(
    'statement_not_found',
  );
  const down = { status: 503 } as const;
  await service.fault('chain', { failMethods: { getAsset: down, getAssetProof: down } });
  expect(await check('web.check', { receipt_id: o.receiptId })).toEqual([
    ...['genuine', 'payment held', ...rest],
  ]);
  const { status, body } = await call(service, `/receipt/${o.receiptId}/proof`);
  expect([status, body['root'], body['proof'], body['burnt']]).toEqual([200, null, null, false]);
  expect(body['holder']).toEqual({ owner: leafOwner(body), delegate: null });
  await service.fault('chain', null);
}
const leafOwner = (proof: Record<string, unknown>) =>
  z.looseObject({ owner: z.string() }).parse(proof['leaf']).owner;

describe('a statement of a period', () => {
  it('is offered, paid by the wallet as documented, minted once, and never changes', async () => {
    const agent = await makeAgent(service);
    const paid = await payTimes(service, { from: agent, to: makeWallet(), count: 11 });
    const body = {
      wallet_address: agent.address,
      ...aroundNow(),
      output_formats: ['json', 'csv'],
    };
    const asked = await askStatement(service, body);
    // The faucet's SOL is a payment as well.
    expect(asked.body).toMatchObject({ tx_count: 12, pricing_tier: '$3.00', complete: true });
    const offer = offerOf(asked);
    expect(offer.amount).toBe(3_000_000n);
    expect((await askStatement(service, body)).body['quote']).toMatchObject({ id: offer.memo });
    const payment = await payOffer(service, { from: agent, offer });
    const late = await payOffer(service, { from: agent, offer });
    const ask = (signature: string) =>
      fetch(new URL('/statement', service.baseUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-payment': signature },
        body: JSON.stringify(body),
      });
    const first = await ask(payment);
    expect(first.status).toBe(200);
    const text = await first.text();
    const statement = z
      .looseObject({ statement_id: z.string(), nft_mint: z.string() })
      .parse(JSON.parse(text));
    expect(statement.statement_id).toMatch(/^STMT[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(itemsOf(statement).map((one) => one.tx_signature)).toEqual(expect.arrayContaining(paid));
    expect(itemsOf(statement)).toHaveLength(12);
    expect(await (await ask(payment)).text()).toBe(text);
    const read = await fetch(`${service.baseUrl}/statement/${statement.statement_id}`);
    expect([read.status, await read.text()]).toEqual([200, text]);

    // A second payment of the same offer buys nothing more, and stays its payer's.
    expect(await (await ask(late)).text()).toBe(text);
    expect(await paymentOf(late)).toMatchObject({ state: 'unused', reason: 'bought_by_another' });
    expect(await countNfts(service.rpcUrl, agent.address)).toBe(1);
    expect(await service.prisma.statement.count({ where: { wallet: agent.address } })).toBe(1);
    // A statement that was bought is not offered again.
    const next = offerOf(await askStatement(service, body));
    expect(next.memo).not.toBe(offer.memo);
  });

  it('can be checked by anyone, and every change of its list is detected', async () => {
    const { agent, receiptId, first, back, euro } = await makeBusiness();
    const body = { wallet_address: agent.address, transactions: [euro, first, back, first] };
    const { answer } = await buy(service, { from: agent, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const rows = itemsOf(answer.body);
    expect(rows.map((one) => one.tx_signature)).toEqual([first, back, euro]);
    expect(rows.map((one) => one.receipt_id)).toEqual([receiptId, null, null]);

    // The sums, computed from the rows in another way.
    const sum = (role: string) =>
      rows
        .filter((one) => one.role === role)
        .reduce((total, one) => total + BigInt(one.usd_amount_raw), 0n);
    const [asPayer, asSeller] = [sum('payer'), sum('seller')];
    const day = new Date().toISOString().slice(0, 10);
    expect(answer.body['summary']).toMatchObject({
      tx_count: 3,
      total_usd: Number(toDecimal(asPayer + asSeller, 6)),
      period_end: day,
      by_role: {
        as_payer: Number(toDecimal(asPayer, 6)),
        as_seller: Number(toDecimal(asSeller, 6)),
      },
      by_token: { USDC: 0.400001, EURC: 2 },
      by_token_by_role: { USDC: { as_payer: 0.3, as_seller: 0.100001 } },
    });

    const id = String(answer.body['statement_id']);
    const places = {
      baseUrl: service.baseUrl,
      rpcUrl: service.rpcUrl,
      gatewayUrl: service.storageUrl,
    };
    const good = await gatherStatement({ statementId: id, ...places });
    expect(checkStatement(good).filter(({ outcome }) => outcome !== 'held')).toEqual([]);
    expect(verdictOf(checkStatement(good))).toBe('genuine');
    const failing = (change: Partial<StatementEvidence>) =>
      checkStatement({ ...good, ...change }).flatMap(({ outcome, id }) =>
        outcome === 'held' ? [] : [id],
      );
    const [one, ...rest] = good.rows;
    const raised = { ...z.looseObject({}).parse(one), usd_amount_raw: '300001' };
    expect(failing({ rows: [raised, ...rest] })).toEqual([
      ...['merkle_root', 'totals', 'rows_valued', 'csv_rows'],
    ]);
    expect(failing({ rows: rest })).toEqual(['merkle_root', 'totals', 'csv_rows']);
    expect(failing({ rows: [...rest, one] })).toEqual([
      ...['merkle_root', 'rows_in_order', 'csv_rows'],
    ]);
    const csv = Buffer.from(good.csv).toString().replace('0.3,', '0.4,');
    expect(failing({ csv: Buffer.from(csv) })).toEqual(['csv_hash', 'csv_rows']);
    const member = good.membership;
    expect(failing({ membership: { ...member, row: raised } })).toEqual([
      ...['membership', 'member_on_chain', 'member_valued'],
    ]);
    expect(failing({ membership: { ...member, path: member.path.slice(1) } })).toEqual([
      'membership',
    ]);
    expect(failing({ issuer: { ...good.issuer, creators: [] } })).toEqual(['creator_ours']);
    expect(failing({ statementId: 'STMT00000000' })).toEqual(['metadata_readable']);

    await checkAsAStranger({ id, csv: good.csv, first, back });
    await checkByPython(service, { id, receiptId, csv: good.csv });
    await checkOnPages({ id, receiptId });

    const file = await fetch(`${service.baseUrl}/statement/${id}/csv`);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(answer.body['csv_sha256']);
    expect(bytes.equals(Buffer.from(good.csv))).toBe(true);
    expect(file.headers.get('content-type')).toContain('text/csv');
    for (const [name, evidence] of [
      ['metadata.json', good.metadata],
      ['image.png', good.image],
    ] as const) {
      const served = await fetch(`${service.baseUrl}/statement/${id}/${name}`);
      expect(Buffer.from(await served.arrayBuffer()).equals(evidence.item.data), name).toBe(true);
    }
    const other = await call(service, `/statement/${id}/proof/${answer.body['mint_signature']}`);
    expect([other.status, other.body['code']]).toEqual([404, 'statement_not_found']);
    const none = await call(service, '/statement/STMT00000000');
    expect([none.status, none.body['code']]).toEqual([404, 'statement_not_found']);
  });
});

describe.each(['v1', 'v2'] as const)('a statement paid by x402 %s', (version) => {
  it('is refused to another wallet before money moves, and sold to its own', async () => {
    const { agent, shop, first, back } = await makeBusiness();
    const body = { wallet_address: agent.address, transactions: [first, back] };
    const asked = await askStatement(service, body);
    const { payTo } = offerOf(asked);
    const before = await tokenBalance(service, payTo);
    await fundWallet(service.rpcUrl, { wallet: shop.address, token: 'USDC', amount: '5' });
    const foreign = await signOffer(service, { answer: asked, from: shop, version });
    const refused = await askStatement(service, body, foreign);
    expect([refused.status, refused.body['code']]).toEqual([403, 'not_a_participant']);
    expect(refused.body['error']).toContain(shop.address);
    expect(await tokenBalance(service, payTo)).toBe(before);

    const headers = await signOffer(service, { answer: asked, from: agent, version });
    const early = await askStatement(service, body, { ...headers, prefer: 'wait=0' });
    expect([early.status, early.headers.get('retry-after')]).toEqual([202, '5']);
    expect(decodeHeader(early, 'payment-response')).toMatchObject({ payer: agent.address });
    const whole = await askStatement(service, body, headers);
    expect([whole.status, whole.body['statement_id']]).toEqual([200, early.body['statement_id']]);
    expect(itemsOf(whole.body).map((one) => one.tx_signature)).toEqual([first, back]);
    expect((await tokenBalance(service, payTo)) - before).toBe(1_000_000n);
  });
});

it('the verifier is offered as a file and as a package with hashes, and both match the repository’s build', async () => {
  const listedAt = { mjs: 'quittance-verify.sha256', tgz: 'quittance-verify.tgz.sha256' };
  const givenAs = async (kind: 'mjs' | 'tgz') => {
    const given = await fetch(`${service.baseUrl}/.well-known/quittance-verify.${kind}`);
    const bytes = Buffer.from(await given.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes);
    const hex = sha256.copy().digest('hex');
    expect(given.headers.get('repr-digest')).toBe(`sha-256=:${sha256.digest('base64')}:`);
    const listed = await fetch(`${service.baseUrl}/.well-known/${listedAt[kind]}`);
    expect(await listed.text()).toBe(`${hex}  quittance-verify.${kind}\n`);
    const built = readFileSync(ensureVerifier().replace(/mjs$/, kind));
    expect(createHash('sha256').update(built).digest('hex')).toBe(hex);
    return bytes;
  };
  await givenAs('tgz');
  const bytes = await givenAs('mjs');

  const dir = tempFolder('verifier');
  writeFileSync(join(dir, 'quittance-verify.mjs'), bytes);
  const help = await runNode(['quittance-verify.mjs', '--help'], { cwd: dir, env: {} });
  expect([help.code, help.output]).toEqual([0, expect.stringContaining('quittance-verify')]);
});

describe('a payment without a memo', () => {
  const bare = (agent: Wallet, offer: ReturnType<typeof offerOf>) =>
    payOffer(service, { from: agent, offer, memo: null });

  it('of the wallet counts for its only open request, and of another wallet is refused', async () => {
    const { agent, shop, first, back } = await makeBusiness();
    const body = { wallet_address: agent.address, transactions: [first, back] };
    const offer = offerOf(await askStatement(service, body));
    await fundWallet(service.rpcUrl, { wallet: shop.address, token: 'USDC', amount: '5' });
    const foreign = await bare(shop, offer);
    const refused = await askStatement(service, body, { 'x-payment': foreign });
    expect([refused.status, refused.body['code']]).toEqual([403, 'not_a_participant']);
    expect(await paymentOf(foreign)).toMatchObject({ state: 'unused', payer: shop.address });
    const own = await askStatement(service, body, {
      'x-payment': await bare(agent, offer),
      prefer: 'wait=0',
    });
    expect(own.status, JSON.stringify(own.body)).toBe(202);
  });

  it('needs wallet headers over its signature when another request is open at that price', async () => {
    const { agent, first, back } = await makeBusiness();
    const ask = (transactions: string[], headers: Record<string, string> = {}) =>
      askStatement(
        service,
        { wallet_address: agent.address, transactions },
        { prefer: 'wait=0', ...headers },
      );
    const offer = offerOf(await ask([first]));
    await ask([back]);
    const payment = await bare(agent, offer);
    const refused = await ask([first], { 'x-payment': payment });
    expect([refused.status, refused.body['code']]).toEqual([401, 'payer_proof_needed']);
    expect(refused.body['details']).toMatchObject({ sign: `quittance:${payment}` });
    expect(await paymentOf(payment)).toBeNull();
    const sold = await ask([first], {
      'x-payment': payment,
      'x-wallet-address': agent.address,
      'x-wallet-signature': agent.signText(`quittance:${payment}`),
    });
    expect(sold.status, JSON.stringify(sold.body)).toBe(202);
  });
});

describe('a wallet that is active during the purchase', () => {
  it('gets the list and price of the offer it paid, even when a newer offer is open', async () => {
    const agent = await makeAgent(service);
    const shop = makeWallet();
    await payTimes(service, { from: agent, to: shop, count: 9 });
    const body = { wallet_address: agent.address, ...aroundNow() };
    const asked = await askStatement(service, body);
    expect(asked.body).toMatchObject({ tx_count: 10, pricing_tier: '$1.00' });
    const offer = offerOf(asked);
    await payTimes(service, { from: agent, to: shop, count: 1 });
    const newer = await askStatement(service, body);
    expect(newer.body).toMatchObject({ tx_count: 11, pricing_tier: '$3.00' });
    expect(offerOf(newer).memo).not.toBe(offer.memo);
    const payment = await payOffer(service, { from: agent, offer });
    await awaitFinal(service, [payment]);
    const bought = await askStatement(service, body, { 'x-payment': payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const listed = itemsOf(bought.body).map((one) => one.tx_signature);
    expect(listed).toHaveLength(10);
    expect(listed).not.toContain(payment);
  });
});
