import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signOffer, type Version } from './harness/sign-offer';
import { canSkew, restartSkewed, startSkewed, type SkewedApp } from './harness/skewed-app';
import { startSecondApp } from './harness/start-app';
import { startService, type TestService } from './harness/start-service';
import { callProcedure, register, signIn } from './harness/use-dashboard';
import { makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { askStatement, awaitFinal } from './harness/use-statements';
import { awaitStatus, call, freshReceipt, mint, type Answer } from './harness/use-service';

const KINDS = ['memo', 'no memo', 'v1', 'v2', 'statement'] as const;
type Kind = (typeof KINDS)[number];

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { METRICS_TOKEN: 'a-token-of-the-scraper' } });
});
afterAll(() => service.close());

/** Asks at one process, pays, and presents the payment at another. */
async function prepare(kind: Kind, quotedBy: TestService) {
  const { payer, signature } = await makeSale(service);
  if (kind === 'statement') {
    await awaitFinal(service, [signature]);
    const body = { wallet_address: payer.address, transactions: [signature] };
    const offer = offerOf(await askStatement(quotedBy, body));
    const payment = await payOffer(service, { from: payer, offer });
    return {
      payer,
      present: (to: TestService) => askStatement(to, body, { 'x-payment': payment }),
    };
  }
  const answer = await mint(quotedBy, { signature });
  const offer = offerOf(answer);
  if (kind === 'v1' || kind === 'v2') {
    const version: Version = kind;
    const headers = await signOffer(service, { answer, from: payer, version });
    return { payer, present: (to: TestService) => mint(to, { signature, headers }) };
  }
  const memo = kind === 'no memo' ? { memo: null } : {};
  const payment = await payOffer(service, { from: payer, offer, ...memo });
  const wallet = kind === 'no memo' ? { wallet: payer } : {};
  return {
    payer,
    present: (to: TestService) => mintPaid(to, { signature, payment, ...wallet }),
  };
}

/**
 * Presents a payment as a client does, and tries the next process when this one takes no payments.
 */
async function presentAt(
  first: TestService,
  next: TestService,
  present: (to: TestService) => Promise<Answer>,
): Promise<Answer> {
  const answer = await present(first);
  return answer.body['code'] === 'payments_unavailable' ? present(next) : answer;
}

async function expectOnePurchase(payer: string, answer: Answer): Promise<void> {
  expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status);
  const id = answer.body['receipt_id'] ?? answer.body['statement_id'];
  const payments = await service.prisma.payment.findMany({ where: { payer } });
  expect(payments.map(({ state, subjectId }) => [state, subjectId])).toEqual([['used', id]]);
}

const wrongHealth = async (app: TestService) => {
  const { body } = await call(app, '/health');
  return [body['status'], JSON.stringify(body)] as const;
};

describe.runIf(canSkew)('a process whose clock is off by less than the limit', () => {
  it.each(['+20s', '-20s'])(
    'sells and takes payments like the others: %s',
    async (by) => {
      const skewed = await startSkewed(service, by);
      try {
        for (const [quoted, presented] of [
          [skewed, service],
          [service, skewed],
        ] as const)
          for (const kind of KINDS) {
            const { payer, present } = await prepare(kind, quoted);
            await expectOnePurchase(payer.address, await present(presented));
          }
        await expect
          .poll(() => wrongHealth(skewed))
          .toEqual(['ok', expect.stringContaining('this machine')]);
      } finally {
        await skewed.stop();
      }
    },
    240_000,
  );
});

describe.runIf(canSkew)('a process whose clock is off by more than the limit', () => {
  describe.each([
    ['+1h', 3_600],
    ['+1d', 86_400],
    ['-2d', -172_800],
  ])('%s', (by, seconds) => {
    let skewed: SkewedApp;
    beforeAll(async () => {
      skewed = await startSkewed(service, by);
    });
    afterAll(() => skewed.stop());

    it('sells nothing, and says why in its answers, in /health and in /metrics', async () => {
      const { signature } = await makeSale(service);
      const refused = await mint(skewed, { signature });
      expect([refused.status, refused.body['code']]).toEqual([503, 'payments_unavailable']);
      expect(refused.headers.get('retry-after')).not.toBeNull();
      const said = /the clock of this machine is (\d+\.\d) s (behind|ahead of) the database's/;
      const [, reported, side] = said.exec(String(refused.body['error'])) ?? [];
      expect(Math.abs(Number(reported) - Math.abs(seconds))).toBeLessThan(10);
      expect(side).toBe(seconds < 0 ? 'behind' : 'ahead of');
      const [status, health] = await wrongHealth(skewed);
      expect(status).toBe('degraded');
      expect(health).toMatch(/"clock":\{"ok":false,"detail":"wrong: this machine/);
      await expect.poll(async () => (await wrongHealth(service))[0]).toBe('ok');
      const scrape = await fetch(new URL('/metrics', skewed.baseUrl), {
        headers: { authorization: 'Bearer a-token-of-the-scraper' },
      });
      const gauge = /quittance_clock_skew_seconds\{clock="(\w+)"\} (-?[\d.]+)/g;
      const gauges = new Map(
        [...(await scrape.text()).matchAll(gauge)].map(([, clock, value]) => [
          clock,
          Number(value),
        ]),
      );
      expect(Math.abs((gauges.get('machine') ?? 0) - seconds)).toBeLessThan(10);
      expect(Math.abs(gauges.get('chain') ?? Infinity)).toBeLessThan(10);
    });

    it('refuses no payment that was made in time, and uses up no payment for nothing', async () => {
      // With the other tests of this file, 33 purchases or more.
      for (let n = 0; n < 11; n += 1) {
        const { payer, present } = await prepare(KINDS[n % KINDS.length] ?? 'memo', service);
        await expectOnePurchase(payer.address, await presentAt(skewed, service, present));
      }
    }, 480_000);

    it('writes rows, limits requests and accepts sign-ins by the time of the database', async () => {
      const free = await freshReceipt(skewed);
      const row = await service.prisma.receipt.findUniqueOrThrow({ where: { id: free.id } });
      expect(Math.abs(row.createdAt.getTime() - Date.now())).toBeLessThan(60_000);
      await awaitStatus(service, free.id);

      const { seller, payer } = await makeSale(service);
      expect((await register(skewed, seller)).status).toBe(200);
      const browser = await signIn(service, payer);
      const headers = { cookie: browser.cookie };
      const shown = await callProcedure(skewed, { path: 'session.read', headers });
      expect(JSON.stringify(shown.data)).toContain(payer.address);

      const ends = await service.prisma.$queryRaw<{ most: number }[]>`
        select max(expire)::float8 - extract(epoch from now())::float8 * 1000 as most from rate_limits`;
      expect(ends[0]?.most).toBeLessThanOrEqual(60_000);
    });
  });
});

describe.runIf(canSkew)(
  'the process that the job server calls, with a clock two days behind',
  () => {
    it('mints the receipts that another process sells', async () => {
      const skewed = await restartSkewed(service, '-2d');
      const right = await startSecondApp(service);
      try {
        for (const kind of KINDS) {
          const { payer, present } = await prepare(kind, right);
          const answer = await presentAt(skewed, right, present);
          await expectOnePurchase(payer.address, answer);
          if (kind !== 'statement') await awaitStatus(right, String(answer.body['receipt_id']));
        }
      } finally {
        await right.stop();
        await skewed.stop();
        await service.app.start();
      }
    }, 480_000);
  },
);

describe("a chain whose time differs from the database's", () => {
  it("stops the sales, and /health names the chain's clock", async () => {
    await service.fault('chain', { setTime: Math.floor(Date.now() / 1000) - 120 });
    const late = await startSecondApp(service);
    try {
      const { signature } = await makeSale(service);
      const refused = await mint(late, { signature });
      expect([refused.status, refused.body['code']]).toEqual([503, 'payments_unavailable']);
      expect(refused.body['error']).toMatch(/the chain's clock is 1[12]\d\.\d s behind/);
      expect((await wrongHealth(late))[0]).toBe('degraded');
    } finally {
      await service.fault('chain', { setTime: Math.floor(Date.now() / 1000) });
      await late.stop();
    }
  });
});
