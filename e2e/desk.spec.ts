import { PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js';
import { MEMO_PROGRAMS } from '@/devnet/chain/addresses';
import { callRpc } from '@/devnet/client/call-rpc';
import { buildTokenPayment, payToken } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { countNfts } from '@/tests/harness/count-nfts';
import { runCron } from '@/tests/harness/use-dashboard';
import { awaitStatus, mint, makePair, pay } from '@/tests/harness/use-service';
import { expect, test } from './harness/site';
import type { TestService } from '@/tests/harness/start-service';

/** A page of the service as a client without a page: its calls, and the signatures of a wallet. */
function pageOf(service: TestService) {
  async function ask(procedure: string, input: object): Promise<Record<string, unknown>> {
    const response = await fetch(new URL(`/api/trpc/${procedure}`, service.baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    });
    const body = (await response.json()) as {
      error?: { json: { data: { code_word: string } } };
      result?: { data: { json: object } };
    };
    return { code: body.error?.json.data.code_word, ...body.result?.data.json };
  }

  /** A transaction with memos that pays the first quote they name, signed by a wallet. */
  async function signed(wallet: Wallet, ...memos: string[]): Promise<string> {
    const answer = await callRpc(service.rpcUrl, 'getLatestBlockhash', []);
    const { value } = answer as { value: { blockhash: string } };
    const transaction = new Transaction({
      feePayer: wallet.keypair.publicKey,
      blockhash: value.blockhash,
      lastValidBlockHeight: 0,
    });
    const { prisma } = service;
    const quote = await prisma.quote.findFirst({ where: { id: { in: memos } } });
    if (quote) {
      const { payTo: to, priceMicros: amount } = quote;
      const paying = buildTokenPayment({ from: wallet, to, token: 'USDC', amount });
      transaction.add(...paying.instructions);
    }
    for (const memo of memos)
      transaction.add(
        new TransactionInstruction({
          programId: new PublicKey(MEMO_PROGRAMS.v3),
          keys: [],
          data: Buffer.from(memo),
        }),
      );
    transaction.sign(wallet.keypair);
    return transaction.serialize().toString('base64');
  }

  async function quoted() {
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
    const { body } = await mint(service, { signature: tx, wallet: payer });
    const { id } = body['quote'] as { id: string };
    const request = { tx_signature: tx, service_type: 'API access' };
    const prepare = (wallet: string, more: object = {}) =>
      ask('web.prepare', { quote_id: id, request, wallet, mode: 'sign', ...more });
    return { payer, seller, tx, id, prepare };
  }

  return { ask, signed, quoted };
}

/** The service's work for pages, which have no node, and its limits. */
test.describe('payments of pages', () => {
  test('sends a transaction only when it carries the memo of an open quote that was prepared', async ({
    site,
  }) => {
    const { ask, signed, quoted } = pageOf(site.service);
    const { payer, id, prepare } = await quoted();
    const send = async (...memos: string[]) =>
      (await ask('web.send', { quote_id: id, transaction: await signed(payer, ...memos) }))['code'];
    expect(await send(id)).toBe('quote_unknown');
    expect(await prepare(payer.address)).toMatchObject({ state: 'ready' });
    expect(await send('hello')).toBe('invalid_request');
    const other = `QT${'0'.repeat(18)}`;
    expect(await send(other)).toBe('invalid_request');
    expect(await send(id, other)).toBe('invalid_request');
    expect(await send(id)).toBeUndefined();
    await site.service.prisma.quote.update({
      where: { id },
      data: { openUntil: new Date(Date.now() - 1_000) },
    });
    expect(await send(id)).toBe('quote_unknown');
  });

  test('sends no transaction with a durable nonce, because it would be valid for ever', async ({
    site,
  }) => {
    const { ask, quoted } = pageOf(site.service);
    const { payer, id, prepare } = await quoted();
    await prepare(payer.address);
    const { publicKey } = payer.keypair;
    const transaction = new Transaction({
      feePayer: publicKey,
      blockhash: makeWallet().address,
      lastValidBlockHeight: 0,
    }).add(
      SystemProgram.nonceAdvance({
        noncePubkey: makeWallet().keypair.publicKey,
        authorizedPubkey: publicKey,
      }),
      new TransactionInstruction({
        programId: new PublicKey(MEMO_PROGRAMS.v4),
        keys: [],
        data: Buffer.from(id),
      }),
    );
    transaction.sign(payer.keypair);
    const wire = transaction.serialize().toString('base64');
    const answer = await ask('web.send', { quote_id: id, transaction: wire });
    expect(answer['code']).toBe('invalid_request');
    const { paymentHint } = await site.service.prisma.quote.findUniqueOrThrow({ where: { id } });
    expect(paymentHint).toBeNull();
  });

  test('sends nothing that its signers did not sign', async ({ site }) => {
    const { ask, signed, quoted } = pageOf(site.service);
    const { payer, id, prepare } = await quoted();
    await prepare(payer.address);
    const wire = Buffer.from(await signed(payer, id), 'base64');
    wire.writeUInt8((wire.readUInt8(1) + 1) % 256, 1);
    const answer = await ask('web.send', { quote_id: id, transaction: wire.toString('base64') });
    expect(answer['code']).toBe('invalid_request');
  });

  test('stores the signature with the quote before it sends, and accepts no second one until then', async ({
    site,
  }) => {
    const { service } = site;
    const { ask, signed, quoted } = pageOf(service);
    const { payer, tx, id, prepare } = await quoted();
    await prepare(payer.address);
    await service.fault('chain', { failMethods: { sendTransaction: { status: 503 } } });
    const wire = await signed(payer, id);
    expect((await ask('web.send', { quote_id: id, transaction: wire }))['code']).toBe(
      'chain_unavailable',
    );
    await service.fault('chain', null);
    const { paymentHint } = await service.prisma.quote.findUniqueOrThrow({ where: { id } });
    expect(paymentHint).not.toBeNull();
    const underWay = { code: undefined, state: 'under_way', quote_id: id };
    expect(await prepare(payer.address)).toEqual(underWay);
    // Also with other claims of the page about its wallet, and with other labels.
    expect(await prepare(payer.address, { nothing_sent: true })).toEqual(underWay);
    const request = { tx_signature: tx, service_type: 'Something else' };
    const { body } = await mint(service, { signature: tx, wallet: payer, body: request });
    const other = { quote_id: (body['quote'] as { id: string }).id, request };
    expect(other.quote_id).not.toBe(id);
    expect(await prepare(payer.address, other)).toEqual(underWay);
    const send = async (transaction: string) =>
      (await ask('web.send', { quote_id: id, transaction }))['code'];
    expect(await send(await signed(payer, id, 'another'))).toBe('in_progress');
    expect(await send(wire)).toBeUndefined();
  });

  test('finds a payment that the wallet sent itself, even after its time limit', async ({
    site,
  }) => {
    const { service } = site;
    const { ask, quoted } = pageOf(service);
    const { payer, id, prepare } = await quoted();
    const prepared = await prepare(payer.address, { mode: 'send' });
    const resume = () => ask('web.resume', { quote_id: id });
    // A blockhash lives 150 slots, then comes finality.
    await service.fault('chain', { advanceSlots: 170 });
    const given = { state: 'nothing_paid', reason: 'expired' };
    await expect.poll(resume, { timeout: 90_000, intervals: [500] }).toMatchObject(given);
    expect(await resume()).toMatchObject({ state: 'nothing_paid', reason: 'not_sent' });
    await payToken(service.rpcUrl, {
      from: payer,
      to: String(prepared['pay_to']),
      token: 'USDC',
      memo: id,
      amount: BigInt(String(prepared['amount_raw'])),
    });
    expect(await prepare(payer.address, { mode: 'send' })).toMatchObject({ state: 'under_way' });
    await expect
      .poll(resume, { timeout: 90_000, intervals: [500] })
      .toMatchObject({ state: 'bought', payment_used: true });
    expect(await service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
  });

  test('completes a purchase of a closed page once, with many sweeps and stuck payments around it', async ({
    site,
  }) => {
    const { service } = site;
    const { ask, quoted } = pageOf(service);
    const { prisma } = service;
    const { payer, seller, tx, id, prepare } = await quoted();
    const { transaction } = await prepare(payer.address);
    const paying = Transaction.from(Buffer.from(String(transaction), 'base64'));
    paying.sign(payer.keypair);
    const wire = paying.serialize().toString('base64');
    expect((await ask('web.send', { quote_id: id, transaction: wire }))['code']).toBeUndefined();
    const longAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const { frozen, request, ...quote } = await prisma.quote.update({
      where: { id },
      data: { preparedAt: longAgo(2) },
    });
    // More than one sweep takes at once: prepared before, never to be known, and one that throws.
    const stuck = Array.from({ length: 25 }, (_, n) => ({
      ...quote,
      frozen: frozen ?? {},
      request: request ?? {},
      paymentHint: null,
      id: `QTSTUCK${String(n).padStart(13, '0')}`,
      landsUntil: null,
      txSignature: null,
      payTo: n === 3 ? 'nobody' : quote.payTo,
      preparedAt: longAgo(10),
    }));
    await prisma.quote.createMany({ data: stuck });
    const sweep = () => runCron(service, 'sweep-quotes');
    const resume = () => ask('web.resume', { quote_id: id });
    await expect
      .poll(
        async () => {
          await Promise.all([sweep(), sweep()]);
          return prisma.receipt.count({ where: { txSignature: tx } });
        },
        { timeout: 120_000, intervals: [500] },
      )
      .toBe(1);
    const receipt = await prisma.receipt.findFirstOrThrow({ where: { txSignature: tx } });
    const bought = { state: 'bought', bought_id: receipt.id, payment_used: true };
    const [one, two] = await Promise.all([resume(), resume(), sweep(), sweep()]);
    expect([one, two]).toMatchObject([bought, bought]);
    await awaitStatus(service, receipt.id);
    expect(await prisma.mint.count({ where: { owner: payer.address } })).toBe(1);
    expect(await countNfts(service.rpcUrl, payer.address)).toBe(1);
    expect(await prisma.payment.findMany({ where: { payer: payer.address } })).toMatchObject([
      { state: 'used', quoteId: id, subjectId: receipt.id },
    ]);
    expect(await prisma.receipt.count({ where: { seller: seller.address } })).toBe(1);
    await prisma.quote.deleteMany({ where: { id: { startsWith: 'QTSTUCK' } } });
  });

  test('prepares a payment only for a wallet of the transaction and for the quoted request', async ({
    site,
  }) => {
    const { quoted } = pageOf(site.service);
    const { payer, prepare } = await quoted();
    expect((await prepare(makeWallet().address))['code']).toBe('not_a_participant');
    const request = { tx_signature: '1'.repeat(64), service_type: 'another' };
    expect((await prepare(payer.address, { request }))['code']).toBe('invalid_request');
  });

  test('never shows a browser the addresses of its nodes', async ({ site }) => {
    const { service } = site;
    const { origin, host } = new URL(service.rpcUrl);
    const html = await (await fetch(service.baseUrl)).text();
    const scripts = [...html.matchAll(/src="([^"]+\.js)"/g)].map(([, url]) => url ?? '');
    const texts = await Promise.all(
      scripts.map(async (url) => (await fetch(new URL(url, service.baseUrl))).text()),
    );
    for (const text of [html, ...texts]) {
      expect(text).not.toContain(origin);
      expect(text).not.toContain(host);
    }
  });
});
