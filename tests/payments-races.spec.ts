import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import type { Wallet } from '@/devnet/client/wallet';
import { tokenBalance } from './harness/make-payment';
import { signOffer } from './harness/sign-offer';
import { startSecondApp } from './harness/start-app';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { type Answer, makePair, mint, pay, whenDone } from './harness/use-service';

let service: TestService;
let second: Awaited<ReturnType<typeof startSecondApp>>;
let apps: TestService[];

describe('two processes that sell', () => {
  beforeAll(async () => {
    service = await sharedService();
    second = await startSecondApp(service);
    apps = [service, second];
  });
  afterAll(async () => {
    await second.stop();
  });

  const app = (n: number): TestService => apps[n % apps.length] ?? service;
  const receipts = (txSignature: string) =>
    service.prisma.receipt.count({ where: { txSignature } });
  const count = (answers: Answer[], status: number) =>
    answers.filter((answer) => answer.status === status).length;

  type Dialect = 'documented' | 'v1' | 'v2';
  const DIALECTS: Dialect[] = ['documented', 'v1', 'v2'];

  /** Headers that pay an offer in a dialect. The documented dialect pays before this returns. */
  async function headersOf(dialect: Dialect, answer: Answer, from: Wallet) {
    if (dialect !== 'documented') return signOffer(service, { answer, from, version: dialect });
    return { 'x-payment': await payOffer(service, { from, offer: offerOf(answer) }) };
  }

  describe.each(DIALECTS)(
    '50 requests at once with one payment (%s), over two processes',
    (dialect) => {
      it('write one receipt and charge once; every success has the same answer', async () => {
        const { payer, signature } = await makeSale(service);
        const answer = await mint(service, { signature });
        const { payTo } = offerOf(answer);
        const before = await tokenBalance(service, payTo);
        const headers = await headersOf(dialect, answer, payer);
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, n) => mint(app(n), { signature, headers })),
        );
        expect(count(answers, 200) + count(answers, 503), JSON.stringify(answers[0]?.body)).toBe(
          50,
        );
        expect(count(answers, 200)).toBeGreaterThan(0);
        const repeat = await whenDone(() => mint(second, { signature, headers }));
        for (const { body } of answers.filter(({ status }) => status === 200))
          expect(body).toEqual(repeat.body);
        expect(await receipts(signature)).toBe(1);
        expect((await tokenBalance(service, payTo)) - before).toBe(100_000n);
        expect(await service.prisma.payment.count({ where: { payer: payer.address } })).toBe(1);
        expect(await service.prisma.reservation.count({ where: { txSignature: signature } })).toBe(
          0,
        );
      });
    },
  );

  describe.each(DIALECTS.flatMap((one) => DIALECTS.map((other) => [one, other] as const)))(
    'payer (%s) and seller (%s) at once',
    (one, other) => {
      it('buy one receipt for one charge; a payment that the loser sent stays the loser’s', async () => {
        const { payer, seller, signature } = await makeSale(service);
        await fundWallet(service.rpcUrl, { wallet: seller.address, sol: 1 });
        const answer = await mint(service, { signature });
        const { payTo } = offerOf(answer);
        const before = await tokenBalance(service, payTo);
        const [first, later] = [
          await headersOf(one, answer, payer),
          await headersOf(other, answer, seller),
        ];
        const answers = await Promise.all([
          whenDone(() => mint(service, { signature, headers: first })),
          whenDone(() => mint(second, { signature, headers: later })),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
        expect(await receipts(signature)).toBe(1);
        const sent = [one, other].filter((dialect) => dialect === 'documented').length;
        const parties = [payer.address, seller.address];
        const rows = await service.prisma.payment.findMany({ where: { payer: { in: parties } } });
        expect(rows.filter(({ state }) => state === 'used')).toHaveLength(1);
        const lost = rows.filter(({ state }) => state !== 'used');
        expect(lost.every((row) => row.state === 'unused' && row.dialect === 'documented')).toBe(
          true,
        );
        // A payer who signed for us to settle is charged only if their request wins.
        const charged = (await tokenBalance(service, payTo)) - before;
        const byUs = rows.some((row) => row.state === 'used' && row.dialect !== 'documented');
        expect(charged).toBe(100_000n * BigInt(sent + (byUs ? 1 : 0)));
        expect(lost).toHaveLength(sent - (byUs ? 0 : 1));
      });
    },
  );

  describe('a signature that everyone can see', () => {
    it.each([
      ['with the memo', undefined],
      ['without a memo', null],
    ])('%s wins a watcher nothing, even one who asked for quotes first', async (_, memo) => {
      const { payer, seller, signature } = await makeSale(service);
      const theirs = await makePair(service);
      await pay(service, { from: theirs.payer, to: theirs.seller, amount: 1n });
      // The counterparty of another transaction of the same payer, and a stranger with a
      // transaction of their own.
      const rival = await pay(service, { from: payer, to: theirs.seller, amount: 30_000_000n });
      const own = await pay(service, {
        from: theirs.payer,
        to: theirs.seller,
        amount: 30_000_000n,
      });
      const attempts = [
        { signature: rival, wallet: theirs.seller },
        { signature: own, wallet: theirs.payer },
        { signature: own },
        { signature, body: { service_type: 'Not what you bought' } },
        { signature, wallet: seller, body: { service_type: 'Mine' } },
      ];
      for (const attempt of attempts) offerOf(await mint(service, attempt));
      const offer = offerOf(await mint(service, { signature, wallet: payer }));
      const payment = await payOffer(service, {
        from: payer,
        offer,
        ...(memo === null ? { memo } : {}),
      });
      const answers: Answer[] = [];
      const race = async (n: number): Promise<void> => {
        const attempt = attempts[n % attempts.length];
        if (attempt) answers.push(await mintPaid(app(n), { ...attempt, payment }));
      };
      const mine = whenDone(() => mintPaid(second, { signature, payment, wallet: payer }));
      for (let n = 0; n < 100; n += 10)
        await Promise.all(Array.from({ length: 10 }, (_unused, k) => race(n + k)));
      expect((await mine).status).toBe(200);
      expect(answers).toHaveLength(100);
      expect(count(answers, 200)).toBe(0);
      expect(await receipts(rival)).toBe(0);
      expect(await receipts(own)).toBe(0);
      const row = await service.prisma.payment.findUniqueOrThrow({
        where: { signature: payment },
      });
      const receipt = await service.prisma.receipt.findFirstOrThrow({
        where: { txSignature: signature },
      });
      expect([row.subjectId, receipt.serviceType]).toEqual([receipt.id, 'API access']);
    });
  });
});
