import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import {
  loadFinalReadings,
  loadTransferReading,
  storeTransferReading,
  storeTransferReadings,
} from './stored-reading';
import { judgeMovements } from '@quittance/verify/chain/judge-movements';
import type { Movements } from '@quittance/verify/chain/movements';
import { named } from '../../tests/harness/chain/made-transaction';
import { refuse, withFinality, type TransferRefusal } from '@quittance/verify/chain/transfer';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const store = (network: Env['network'] = 'local') => ({
  db: database.prisma,
  env: trusted<Env>({ network }, 'nothing else of it is read'),
  clock: { now: () => new Date('2026-11-28T00:00:00.000Z') },
});

const leg = {
  kind: 'wallet',
  mint: null,
  tokenProgram: null,
  decimals: 9,
  isShown: true,
  isNft: false,
} as const;
const movements: Movements = {
  signature: 'sig',
  slot: 2n ** 60n,
  blockTime: new Date('2025-12-24T23:59:59.000Z'),
  feePayer: named('payer'),
  legs: [
    {
      ...leg,
      owner: named('payer'),
      direction: 'given',
      amount: 18_446_744_073_709_551_615n,
      amountSent: 18_446_744_073_709_551_615n,
      references: [],
    },
    {
      ...leg,
      owner: named('seller'),
      direction: 'got',
      amount: 18_437_736_874_454_810_622n,
      amountSent: 18_437_736_874_454_810_622n,
      references: ['Ref'],
    },
    {
      ...leg,
      owner: named('other'),
      direction: 'got',
      amount: 9_007_199_254_740_993n,
      amountSent: 9_007_199_254_740_993n,
      references: [],
    },
  ],
  leftOut: [
    {
      reason: 'network_fee',
      from: named('payer'),
      to: null,
      account: null,
      mint: null,
      decimals: 9,
      amount: 5_000n,
    },
  ],
  exchanged: [],
  memos: ['=1+1 "é"', ''],
  hasHiddenAssets: false,
  hasInner: true,
};
const paid = (signature: string) => {
  const judged = judgeMovements({ ...movements, signature }, { network: 'local', prices: [] });
  const reading = withFinality(judged, 'finalized');
  return { signature, reading, slot: movements.slot, blockTime: movements.blockTime };
};
const nothing = (signature: string): Movements => ({ ...movements, signature, legs: [] });
const refused = (signature: string, code: TransferRefusal) => ({
  signature,
  reading: refuse(code, 'because', code === 'not_a_payment' ? nothing(signature) : null),
  slot: 1n,
  blockTime: null,
});

describe('a stored reading', () => {
  it('comes back digit for digit', async () => {
    await storeTransferReading(store(), paid('exact'));
    expect(paid('exact').reading.ok).toBe(true);
    expect(await loadTransferReading(store(), 'exact')).toEqual(paid('exact').reading);
  });

  it('has the reading from before its tip account was listed', async () => {
    const before = new Date('2027-03-01T00:00:00Z');
    const earlier = [{ before, movements: { ...movements, memos: ['earlier'] } }];
    const judged = judgeMovements({ ...movements, earlier }, { network: 'local', prices: [] });
    await storeTransferReading(store(), { ...paid('earlier'), reading: judged });
    const stored = await loadTransferReading(store(), 'earlier');
    expect(stored?.movements?.earlier).toEqual(earlier);
    const row = await database.prisma.readTransfer.findUnique({ where: { signature: 'exact' } });
    expect(row).toMatchObject({
      slot: 2n ** 60n,
      blockTime: movements.blockTime,
      network: 'local',
    });
  });

  it('keeps what is no payment, and nothing that another node might answer differently', async () => {
    const codes = ['not_a_payment', 'transaction_failed'] as const;
    const open = ['transaction_not_found', 'unreadable_transaction'] as const;
    await storeTransferReadings(
      store(),
      [...codes, ...open].map((code) => refused(code, code)),
    );
    const found = await loadFinalReadings(store(), [...codes, ...open]);
    expect([...found.keys()].sort()).toEqual([...codes].sort());
    expect(found.get('not_a_payment')?.reading).toMatchObject({
      code: 'not_a_payment',
      movements: nothing('not_a_payment'),
    });
    expect(found.get('transaction_failed')?.reading).toMatchObject({ detail: 'because' });
  });

  it('may be stored twice, also in one call, and stays as it was', async () => {
    await storeTransferReadings(store(), [paid('twice'), paid('twice')]);
    await storeTransferReading(store(), refused('twice', 'not_a_payment'));
    expect((await loadTransferReading(store(), 'twice'))?.ok).toBe(true);
  });

  it('of an older reader is read again and replaced', async () => {
    await storeTransferReading(store(), refused('old', 'not_a_payment'));
    await database.prisma.$executeRaw`update read_transfers
      set reading = jsonb_set(reading, '{version}', '0') where signature = 'old'`;
    expect(await loadTransferReading(store(), 'old')).toBeNull();
    await storeTransferReading(store(), paid('old'));
    expect((await loadTransferReading(store(), 'old'))?.ok).toBe(true);
  });

  it('of a newer reader is not replaced', async () => {
    await storeTransferReading(store(), paid('new'));
    await database.prisma.$executeRaw`update read_transfers
      set reading = jsonb_set(reading, '{version}', '99') where signature = 'new'`;
    await storeTransferReading(store(), refused('new', 'not_a_payment'));
    const row = await database.prisma.readTransfer.findUnique({ where: { signature: 'new' } });
    expect(row?.reading).toMatchObject({ version: 99, failed: false });
  });

  it('of another network is not an answer', async () => {
    await storeTransferReading(store('devnet'), paid('elsewhere'));
    expect(await loadTransferReading(store('local'), 'elsewhere')).toBeNull();
  });
});
