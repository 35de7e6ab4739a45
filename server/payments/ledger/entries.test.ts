import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { recordWithdrawal, standingInLedger } from './entries';

const AT = new Date(Date.UTC(2026, 10, 29));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.ledgerEntry.deleteMany();
});

/** Change of an account of PAY_TO by a transaction. The default is USDC that left for the payer. */
const put = (signature: string, o: object = {}) =>
  database.prisma.ledgerEntry.create({
    data: {
      signature,
      account: 'account',
      wallet: 'till',
      token: 'USDC',
      decimals: 6,
      direction: 'out',
      amountRaw: 100n,
      beforeRaw: 100n,
      afterRaw: 0n,
      memos: [],
      parties: [{ owner: 'payer', amount: '100' }],
      slot: 6n,
      blockTime: AT,
      createdAt: AT,
      ...o,
    },
  });
const record = (signature: string) =>
  recordWithdrawal(database.prisma, { signature, note: 'to the bank' });
const purposes = async () =>
  (await database.prisma.ledgerEntry.findMany({ orderBy: { account: 'asc' } })).map(
    ({ purpose }) => purpose,
  );
const audits = () => database.prisma.auditEntry.count({ where: { action: 'ledger.withdraw' } });

it('money that left is a withdrawal once the operator records it, with one audit row for all repeats', async () => {
  await put('out');
  const payment = { signature: 'paid', payer: 'payer', slot: 5n };
  expect(await standingInLedger(database.prisma, payment)).toMatchObject({ questionedBy: 'out' });
  const before = await audits();
  expect(await record('out')).toBe('recorded');
  expect(await record('out')).toBe('recorded');
  expect(await purposes()).toEqual(['withdrawal']);
  expect(await standingInLedger(database.prisma, payment)).toMatchObject({ questionedBy: null });
  expect((await audits()) - before).toBe(1);
});

it('money that came in, moved between our accounts or was a refund is no withdrawal', async () => {
  await put('in', { direction: 'in', beforeRaw: 0n, afterRaw: 100n });
  expect(await record('in')).toBe('nothing_left');
  expect(await record('unknown')).toBe('nothing_left');
  await put('moved', { purpose: 'internal' });
  expect(await record('moved')).toBe('nothing_left');
  await put('back', { account: 'a', purpose: 'refund' });
  await put('back', { account: 'b', token: 'SOL' });
  expect(await record('back')).toBe('is_refund');
  const rows = await database.prisma.ledgerEntry.findMany({ where: { purpose: 'withdrawal' } });
  expect(rows).toEqual([]);
});

it('of several debits in one transaction, only the unexplained ones become a withdrawal', async () => {
  await put('out', { account: 'a' });
  await put('out', { account: 'b', purpose: 'cost' });
  await put('out', { account: 'c', direction: 'in', beforeRaw: 0n, afterRaw: 100n });
  expect(await record('out')).toBe('recorded');
  expect(await purposes()).toEqual(['withdrawal', 'cost', null]);
});
