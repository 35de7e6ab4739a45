import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mostConnections } from '@/server/db/client';
import { setFaults } from '@/devnet/client/set-faults';
import { freePort } from '@/devnet/free-port';
import { countNfts } from './harness/count-nfts';
import { hurrySweeps } from './harness/hurry-sweeps';
import { insist } from './harness/insist';
import { tokenBalance } from './harness/make-payment';
import { signOffer } from './harness/sign-offer';
import { startService, type TestService } from './harness/start-service';
import { makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { aroundNow, askStatement, awaitFinal, makeAgent, payTimes } from './harness/use-statements';
import { awaitStatus, call, makePair, mint, pay } from './harness/use-service';

/**
 * Nodes with current slots, accounts and blocks that lost their transactions, for example after a
 * start from a snapshot. They answer `null` about our transactions, and call the blocks that hold
 * them skipped.
 */
const TOKEN = 'gaps-token-0123456789-0123456789-0123456789';
const ADMIN = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
const GAP = { blindMs: 600_000, loseBlocksMs: 600_000, shortenBlocks: true };
/** The service's next send is refused once more, and later ones pass. */
const SENDS_PASS = { failMethods: { sendTransaction: { status: 503, times: 1 } } };
const NO_SENDS = { failMethods: { sendTransaction: { status: 503 } } };
/**
 * A node that knows none of our transactions, and calls every lifetime over. Its heights belong to
 * no real chain.
 */
const LIE = { blindMs: 600_000, tellsAhead: 5_000_000 };
/** Longer than a blockhash lives, including the margins that the service keeps. */
const PAST_USE = { advanceSlots: 400 };

describe.each([1, 2])('with %i nodes that lose the transactions we sent', (nodes) => {
  let service: TestService;
  let urls: string[];
  beforeAll(async () => {
    const port = await freePort(2);
    const second: Record<string, string> =
      nodes > 1 ? { DEVNET_SECOND_NODE_PORT: String(port) } : {};
    service = await startService({ env: { ADMIN_TOKEN: TOKEN, ...second } });
    urls = [service.rpcUrl, ...(nodes > 1 ? [`http://127.0.0.1:${port}`] : [])];
  });
  afterAll(() => service.close());
  afterEach(() => heal());

  const everywhere = async (faults: object | null) => {
    for (const url of urls) await setFaults(url, faults);
  };
  const heal = () => everywhere(null);
  const attemptsOf = (mintId: string) =>
    service.prisma.mintAttempt.findMany({ where: { mintId }, orderBy: { number: 'asc' } });
  const undecided = async () => {
    const { status, body } = await call(service, '/admin/undecided', { headers: ADMIN });
    expect(status).toBe(200);
    return body['undecided'] as Record<string, unknown>[];
  };
  const untilUndecided = (subject: string) =>
    insist(`undecided ${subject}`, 90_000, async () => {
      const found = (await undecided()).find((one) => one['subject'] === subject);
      if (!found) await hurrySweeps(service);
      return found ?? null;
    });

  /** Lets a mint transaction land unseen, long past its time, during the gap of the nodes. */
  async function forgetMint(mintId: string, owner: string): Promise<void> {
    await insist('an attempt', 90_000, async () => (await attemptsOf(mintId))[0] ?? null);
    await everywhere({ ...GAP, ...SENDS_PASS });
    await insist('the NFT', 90_000, async () => (await countNfts(service.rpcUrl, owner)) || null);
    await setFaults(service.rpcUrl, PAST_USE);
  }

  async function expectOneNft(mintId: string, owner: string): Promise<void> {
    expect(await countNfts(service.rpcUrl, owner)).toBe(1);
    expect(await attemptsOf(mintId)).toHaveLength(1);
  }

  it('a free receipt gets one NFT: undecided until then, in the list and in the metrics', async () => {
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    await everywhere(NO_SENDS);
    const asked = await mint(service, { signature, wallet: payer });
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    const [id, owner] = [String(asked.body['receipt_id']), payer.address];
    await forgetMint(id, owner);
    expect(await untilUndecided(id)).toMatchObject({ kind: 'mint', subject: id });
    await sleep(3_000);
    await expectOneNft(id, owner);
    const { body } = await call(service, `/mint/status/${id}`);
    expect(body).toMatchObject({ mint_status: 'pending', attempts: 0 });
    expect(body['last_error']).toContain('undecided');
    // Pages open their own connection pools when the first one is shown.
    await fetch(new URL(`/r/${id}`, service.baseUrl));
    const scrape = async () => (await fetch(new URL('/metrics', service.baseUrl))).text();
    await expect.poll(scrape, { interval: 500 }).toMatch(/^quittance_undecided\{kind="mint"\} 1$/m);
    const metrics = await scrape();
    // docs/operation/machines.md and doctor expect this many connections for each process. DATABASE_POOL is 10.
    const sizes = [...metrics.matchAll(/^quittance_db_pool_size\{.*\} (\d+)$/gm)];
    const most = sizes.reduce((sum, [, size]) => sum + Number(size), 0);
    expect(most).toBe(mostConnections(10));
    await heal();
    await hurrySweeps(service);
    await awaitStatus(service, id, { timeoutMs: 90_000 });
    await expectOneNft(id, owner);
    await expect.poll(undecided).toEqual([]);
  });

  it('a statement gets one NFT', async () => {
    const agent = await makeAgent(service);
    const { payer: other } = await makePair(service);
    await payTimes(service, { from: agent, to: other, count: 2 });
    const body = { wallet_address: agent.address, ...aroundNow() };
    const offer = offerOf(await askStatement(service, body));
    const payment = await payOffer(service, { from: agent, offer });
    await awaitFinal(service, [payment]);
    await everywhere(NO_SENDS);
    const asked = askStatement(service, body, { 'x-payment': payment });
    const row = await insist('the statement', 90_000, () =>
      service.prisma.payment.findFirst({ where: { signature: payment, state: 'used' } }),
    );
    const id = row.subjectId ?? '';
    await forgetMint(id, agent.address);
    await untilUndecided(id);
    await sleep(2_000);
    await expectOneNft(id, agent.address);
    await heal();
    expect([200, 202]).toContain((await asked).status);
    await hurrySweeps(service);
    await expect
      .poll(async () => (await service.prisma.mint.findUnique({ where: { id } }))?.status, {
        timeout: 90_000,
      })
      .toBe('completed');
    await expectOneNft(id, agent.address);
  });

  it.each(['v1', 'v2'] as const)('a buyer by x402 %s is charged once', async (version) => {
    const sale = await makeSale(service);
    await awaitFinal(service, [sale.signature]);
    const answer = await mint(service, { signature: sale.signature });
    const { payTo, amount } = offerOf(answer);
    const before = await tokenBalance(service, payTo);
    const arrived = async () => (await tokenBalance(service, payTo)) - before;
    const headers = await signOffer(service, { answer, from: sale.payer, version });
    await everywhere(NO_SENDS);
    const buying = mint(service, { signature: sale.signature, headers });
    const where = { payer: sale.payer.address };
    const sent = await insist('a sent payment', 90_000, () =>
      service.prisma.payment.findFirst({ where: { ...where, state: 'sent' } }),
    );
    await everywhere({ ...GAP, ...SENDS_PASS });
    await expect.poll(arrived).toBe(amount);
    await setFaults(service.rpcUrl, PAST_USE);
    const first = await buying;
    expect([first.status, first.body['code']]).toEqual([503, 'payment_pending']);
    await expect
      .poll(
        async () => {
          const again = await mint(service, { signature: sale.signature, headers });
          return [again.status, String(again.body['error']).includes('cannot prove')];
        },
        { timeout: 90_000, interval: 500 },
      )
      .toEqual([503, true]);
    // The answer never claims that nothing was charged, and a hold says why it waits.
    const signature = sent.signature ?? '';
    const { body } = await call(service, `/payments/${signature}`);
    expect(body).toMatchObject({ state: 'in_progress' });
    expect(String(body['message'])).toContain('Do not pay again');
    const hold = await call(service, '/admin/refunds', {
      method: 'POST',
      headers: ADMIN,
      body: JSON.stringify({ payment_signature: signature, hold: true }),
    });
    expect([hold.status, String(hold.body['error'])]).toEqual([
      409,
      expect.stringContaining('not proven yet whether it landed'),
    ]);
    expect((await undecided()).map((one) => one['signature'])).toContain(signature);
    // A client that signs again is not charged a second time.
    const fresh = await signOffer(service, { answer, from: sale.payer, version, memo: null });
    const retried = await mint(service, { signature: sale.signature, headers: fresh });
    expect(retried.status).toBe(503);
    await heal();
    const bought = await insist('the receipt', 90_000, async () => {
      const again = await mint(service, { signature: sale.signature, headers });
      return again.status === 200 ? again : null;
    });
    expect(await arrived()).toBe(amount);
    expect(await service.prisma.payment.findMany({ where })).toMatchObject([{ state: 'used' }]);
    await awaitStatus(service, String(bought.body['receipt_id']), { timeoutMs: 90_000 });
    expect(await countNfts(service.rpcUrl, sale.payer.address)).toBe(1);
  });

  it('a documented buyer’s payment and transfer are not treated as dropped', async () => {
    const sale = await makeSale(service);
    const offer = offerOf(await mint(service, { signature: sale.signature }));
    await awaitFinal(service, [sale.signature]);
    await everywhere({ holdFinality: true });
    const payment = await payOffer(service, { from: sale.payer, offer });
    const asked = { signature: sale.signature, payment };
    const bought = await mintPaid(service, asked);
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const id = String(bought.body['receipt_id']);
    await everywhere({ ...GAP, holdFinality: false });
    await setFaults(service.rpcUrl, PAST_USE);
    await untilUndecided(id);
    await sleep(2_000);
    const { body } = await call(service, `/payments/${payment}`);
    expect(body).toMatchObject({ state: 'used', bought: id });
    expect((await mintPaid(service, asked)).status).toBe(200);
    expect((await service.prisma.mint.findUniqueOrThrow({ where: { id } })).status).toBe('pending');
    await heal();
    await hurrySweeps(service);
    await awaitStatus(service, id, { timeoutMs: 90_000 });
    expect(await countNfts(service.rpcUrl, sale.payer.address)).toBe(1);
    expect(
      await service.prisma.payment.findMany({ where: { payer: sale.payer.address } }),
    ).toMatchObject([{ state: 'used', signature: payment }]);
  });

  describe.each(nodes > 1 ? [0, 1] : [])('when node %i lies about all our transactions', (liar) => {
    const lie = () => setFaults(urls[liar] ?? '', LIE);

    /** Lets every sent transaction expire and the sweeps run before the node stops lying. */
    async function outlast(): Promise<void> {
      await setFaults(service.rpcUrl, PAST_USE);
      await hurrySweeps(service);
      await sleep(1_000);
      await hurrySweeps(service);
    }
    const bought = async (ask: () => ReturnType<typeof mint>): Promise<string> => {
      const answer = await insist('the purchase', 90_000, async () => {
        const one = await ask();
        return one.status === 200 ? one : null;
      });
      return String(answer.body['receipt_id'] ?? answer.body['statement_id']);
    };

    it('a free receipt has one NFT', async () => {
      const { payer, seller } = await makePair(service);
      const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
      await awaitFinal(service, [signature]);
      await lie();
      const asked = await mint(service, { signature, wallet: payer });
      expect(asked.status, JSON.stringify(asked.body)).toBe(200);
      await outlast();
      await heal();
      await hurrySweeps(service);
      const id = String(asked.body['receipt_id']);
      await awaitStatus(service, id, { timeoutMs: 90_000 });
      await expectOneNft(id, payer.address);
    });

    /** A buyer of a receipt, with a payment that is on chain or signed. */
    async function buyerBy(dialect: 'documented' | 'v2') {
      const { payer, signature } = await makeSale(service);
      await awaitFinal(service, [signature]);
      const answer = await mint(service, { signature });
      const offer = offerOf(answer);
      const headers: Record<string, string> =
        dialect === 'v2'
          ? await signOffer(service, { answer, from: payer, version: 'v2' })
          : { 'x-payment': await payOffer(service, { from: payer, offer }) };
      return { payer, offer, ask: () => mint(service, { signature, headers }) };
    }

    it('buyers by either dialect pay once', async () => {
      const signed = await buyerBy('v2');
      const before = await tokenBalance(service, signed.offer.payTo);
      const paid = await buyerBy('documented');
      const buyers = [paid, signed];
      const askAll = () => Promise.all(buyers.map(({ ask }) => ask()));
      await lie();
      const first = await askAll();
      await outlast();
      // A client that gets 402 here would pay again.
      for (const { status, body } of [...first, ...(await askAll())])
        expect([200, 409, 503], JSON.stringify(body)).toContain(status);
      await heal();
      for (const { ask, payer } of buyers) {
        const id = await bought(ask);
        await hurrySweeps(service);
        await awaitStatus(service, id, { timeoutMs: 90_000 });
        await expectOneNft(id, payer.address);
        const where = { payer: payer.address };
        expect(await service.prisma.payment.findMany({ where })).toMatchObject([
          { state: 'used', subjectId: id },
        ]);
      }
      const cost = buyers.reduce((sum, { offer }) => sum + offer.amount, 0n);
      expect((await tokenBalance(service, signed.offer.payTo)) - before).toBe(cost);
    });

    it('a paid statement has one NFT, and its payment is used once', async () => {
      const agent = await makeAgent(service);
      const { payer: other } = await makePair(service);
      await payTimes(service, { from: agent, to: other, count: 2 });
      const body = { wallet_address: agent.address, ...aroundNow() };
      const offer = offerOf(await askStatement(service, body));
      const payment = await payOffer(service, { from: agent, offer });
      await lie();
      const ask = () => askStatement(service, body, { 'x-payment': payment });
      const first = ask();
      await outlast();
      await heal();
      await hurrySweeps(service);
      expect([200, 202, 503]).toContain((await first).status);
      const id = await bought(ask);
      await expectOneNft(id, agent.address);
      const where = { payer: agent.address };
      expect(await service.prisma.payment.findMany({ where })).toMatchObject([
        { state: 'used', signature: payment, subjectId: id },
      ]);
    });
  });

  it.each(nodes > 1 ? [1] : [])(
    'the 402 says that a payment waits when only node %i answers nothing',
    async (silent) => {
      const { signature } = await makeSale(service);
      const dead = { failMethods: { '*': { status: 503 } } };
      await setFaults(urls[silent] ?? '', dead);
      await insist('one node alone', 90_000, async () => {
        const { body } = await call(service, '/pricing');
        return body['x402_open'] === false || null;
      });
      const { status, headers, body } = await mint(service, { signature });
      expect([status, headers.get('payment-required')]).toEqual([402, null]);
      expect(body).toMatchObject({ accepts: [], message: expect.stringContaining('counts later') });
      expect((await call(service, '/pricing')).body).toMatchObject({ open: true });
    },
  );
});
