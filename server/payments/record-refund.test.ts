import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { claimPayment, type ClaimWish, releaseClaim, usePayment } from './claim-payment';
import { holdPayment } from './hold-payment';
import { recordWithdrawal } from './ledger/entries';
import { recordRefund, type Recorded } from './record-refund';

const NOW = new Date('2026-11-29T12:00:00Z');
const PRICE = 100_000n;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { prisma } = database;
  await prisma.payment.deleteMany();
  await prisma.ledgerRefund.deleteMany();
  await prisma.ledgerHold.deleteMany();
  await prisma.ledgerEntry.deleteMany();
});

let made = 0;
const claim = (o: Partial<ClaimWish> = {}) =>
  database.prisma.$transaction((tx) =>
    claimPayment(tx, {
      id: `PAY${(made += 1)}`,
      dialect: 'documented',
      name: { signature: 'sig' },
      payer: 'payer',
      payTo: 'till',
      amountMicros: PRICE,
      priceMicros: PRICE,
      quoteId: 'QT1',
      requestSha256: 'this',
      slot: 5n,
      blockTime: NOW,
      holder: 'request',
      now: NOW,
      ...o,
    }),
  );
const refund = (
  amountMicros: bigint,
  refundSignature = 'back',
  arrived = PRICE,
): Promise<Recorded> =>
  recordRefund(database.prisma, {
    id: null,
    refundSignature,
    amountMicros,
    from: 'purse',
    credit: { signature: 'sig', token: 'USDC', amountRaw: arrived },
    now: NOW,
  });

/** Money that left PAY_TO for the payer in a slot, as a scan writes it. */
async function debit(
  o: { signature?: string; owner?: string; slot?: bigint; token?: string } = {},
): Promise<void> {
  await database.prisma.ledgerEntry.create({
    data: {
      signature: o.signature ?? 'out',
      account: 'account',
      wallet: 'till',
      token: o.token ?? 'USDC',
      decimals: 6,
      direction: 'out',
      amountRaw: 100n,
      beforeRaw: 100n,
      afterRaw: 0n,
      parties: [{ owner: o.owner ?? 'payer', amount: '100' }],
      memos: [],
      slot: o.slot ?? 6n,
      blockTime: NOW,
      createdAt: NOW,
    },
  });
}

describe('a refund on record', () => {
  it('of a payment that nobody presented lets it buy nothing any more', async () => {
    expect(await refund(PRICE)).toBe('recorded');
    expect(await claim()).toBeNull();
    expect(await database.prisma.payment.count()).toBe(0);
  });

  it('and a claim at the same moment: exactly one of them is written, always', async () => {
    const won = { refund: 0, claim: 0 };
    for (let round = 0; round < 40; round += 1) {
      await database.prisma.payment.deleteMany();
      await database.prisma.ledgerRefund.deleteMany();
      const [recorded, claimed] = await Promise.all(
        round % 2 === 0 ? [refund(PRICE), claim()] : [claim(), refund(PRICE)].reverse(),
      );
      const isRefunded = recorded === 'recorded' || claimed === 'recorded';
      const isClaimed = (await database.prisma.payment.count()) === 1;
      expect(isRefunded).not.toBe(isClaimed);
      won[isRefunded ? 'refund' : 'claim'] += 1;
    }
    expect(won.refund + won.claim).toBe(40);
  });

  it('takes its part from what the payment can buy with, over several of them', async () => {
    const arrived = 3n * PRICE;
    expect(await refund(PRICE, 'one', arrived)).toBe('recorded');
    expect(await refund(PRICE + 1n, 'two', arrived)).toBe('recorded');
    expect(await claim({ amountMicros: arrived })).toBeNull();
    expect(await claim({ amountMicros: arrived, priceMicros: PRICE - 1n })).not.toBeNull();
  });

  it('refunds no more than is left, and a transaction belongs to one payment', async () => {
    expect(await refund(PRICE + 1n)).toBe('not_left');
    const twice = [refund(PRICE, 'one'), refund(PRICE, 'two'), refund(1n, 'three')];
    const results = await Promise.all(twice);
    const sum = await database.prisma.ledgerRefund.aggregate({ _sum: { amountRaw: true } });
    expect(sum._sum.amountRaw ?? 0n).toBeLessThanOrEqual(PRICE);
    expect(results.filter((one) => one === 'recorded').length).toBeLessThan(3);
    const [known] = await database.prisma.ledgerRefund.findMany();
    expect(await refund(1n, known?.refundSignature)).toBe('recorded');
    const other = await recordRefund(database.prisma, {
      id: null,
      refundSignature: known?.refundSignature ?? '',
      amountMicros: 1n,
      now: NOW,
      from: 'purse',
      credit: { signature: 'other', token: 'USDC', amountRaw: PRICE },
    });
    expect(other).toBe('taken');
  });

  it('of the surplus of a payment that bought something leaves what it bought alone', async () => {
    const amountMicros = 5n * PRICE;
    const got = await claim({ amountMicros });
    if (!got) throw new Error('not claimed');
    expect(await refund(1n, 'early', amountMicros)).toBe('not_unused');
    await usePayment(database.prisma, got, { subjectId: 'R1', answer: {}, now: NOW });
    expect(await refund(4n * PRICE + 1n, 'all', amountMicros)).toBe('not_left');
    expect(await refund(4n * PRICE, 'surplus', amountMicros)).toBe('recorded');
    expect(await refund(1n, 'more', amountMicros)).toBe('not_left');
    expect(await database.prisma.payment.findFirst()).toMatchObject({ state: 'used' });
  });

  it('of all of an unused payment makes it refunded, of a part leaves it unused', async () => {
    const got = await claim();
    if (!got) throw new Error('not claimed');
    await releaseClaim(database.prisma, got, { reason: 'late', now: NOW });
    expect(await refund(PRICE - 1n, 'part')).toBe('recorded');
    expect(await database.prisma.payment.findFirst()).toMatchObject({ state: 'unused' });
    expect(await refund(1n, 'rest')).toBe('recorded');
    expect(await database.prisma.payment.findFirst()).toMatchObject({
      state: 'refunded',
      refundSignature: 'rest',
    });
  });

  it('in another token takes nothing from what USDC can buy', async () => {
    const usdt = { signature: 'sig', token: 'USDT', amountRaw: PRICE };
    const given = await recordRefund(database.prisma, {
      id: null,
      refundSignature: 'usdt',
      amountMicros: PRICE,
      from: 'till',
      now: NOW,
      credit: usdt,
    });
    expect(given).toBe('recorded');
    expect(await claim()).not.toBeNull();
  });
});

describe('money that left for the payer without a record', () => {
  it('keeps what that wallet paid before from buying, until it is explained', async () => {
    await debit();
    expect(await claim()).toBeNull();
    expect(await recordWithdrawal(database.prisma, { signature: 'out', note: null })).toBe(
      'recorded',
    );
    expect(await claim()).not.toBeNull();
  });

  it.each([
    ['went before the payment', { slot: 4n }],
    ['went to somebody else', { owner: 'stranger' }],
    ['was in another token', { token: 'USDT' }],
  ])('does not where it %s', async (_, o) => {
    await debit(o);
    expect(await claim()).not.toBeNull();
  });
});

it('a payment that is held before anybody presents it is claimed by nobody, and is let go again', async () => {
  const wish = { id: null, signature: 'sig', now: new Date() };
  expect(await holdPayment(database.prisma, { ...wish, isHeld: true })).toBe(true);
  expect(await claim()).toBeNull();
  expect(await holdPayment(database.prisma, { ...wish, isHeld: false })).toBe(true);
  expect(await claim()).not.toBeNull();
  expect(await holdPayment(database.prisma, { ...wish, isHeld: true })).toBe(false);
});
