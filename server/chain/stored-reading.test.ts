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
import type { Transfer, TransferReading } from './transfer';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const store = (network: Env['network'] = 'local') => ({
  db: database.prisma,
  env: trusted<Env>({ network }, 'the verbs read the network alone'),
  clock: { now: () => new Date('2026-11-28T00:00:00.000Z') },
});

const transfer: Transfer = {
  signature: 'sig',
  slot: 2n ** 60n,
  blockTime: new Date('2025-12-24T23:59:59.000Z'),
  finality: 'finalized',
  payer: 'Payer',
  seller: 'Seller',
  mint: null,
  tokenProgram: null,
  decimals: 9,
  amount: 18_446_744_073_709_551_615n,
  amountSent: 18_446_744_073_709_551_615n,
  feeWithheld: 0n,
  otherLegs: [{ owner: 'Other', amount: 9_007_199_254_740_993n }],
  feePayer: 'Payer',
  memos: ['=1+1 "é"', ''],
  references: ['Ref'],
};
const paid = (signature: string) => {
  const reading: TransferReading = { ok: true, transfer: { ...transfer, signature } };
  return { signature, reading, slot: transfer.slot, blockTime: transfer.blockTime };
};
const refused = (signature: string, code: Extract<TransferReading, { ok: false }>['code']) => ({
  signature,
  reading: { ok: false, code, detail: 'because' } as const,
  slot: 1n,
  blockTime: null,
});

describe('a stored reading', () => {
  it('comes back digit for digit', async () => {
    await storeTransferReading(store(), paid('exact'));
    expect(await loadTransferReading(store(), 'exact')).toEqual(paid('exact').reading);
    const row = await database.prisma.readTransfer.findUnique({ where: { signature: 'exact' } });
    expect(row).toMatchObject({ slot: 2n ** 60n, blockTime: transfer.blockTime, network: 'local' });
  });

  it('keeps what is no payment, and nothing that another node might answer differently', async () => {
    const codes = ['not_a_payment', 'transaction_failed', 'several_sellers'] as const;
    const open = ['transaction_not_found', 'unreadable_transaction'] as const;
    await storeTransferReadings(
      store(),
      [...codes, ...open].map((code) => refused(code, code)),
    );
    const found = await loadFinalReadings(store(), [...codes, ...open]);
    expect([...found.keys()].sort()).toEqual([...codes].sort());
    expect(found.get('not_a_payment')?.reading).toEqual(refused('', 'not_a_payment').reading);
  });

  it('may be stored twice, also in one call, and stays as it was', async () => {
    await storeTransferReadings(store(), [paid('twice'), paid('twice')]);
    await storeTransferReading(store(), refused('twice', 'not_a_payment'));
    expect((await loadTransferReading(store(), 'twice'))?.ok).toBe(true);
  });

  it('of an older reader is read anew and replaced', async () => {
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
    expect(row?.reading).toMatchObject({ version: 99, ok: true });
  });

  it('of another network is not an answer', async () => {
    await storeTransferReading(store('devnet'), paid('elsewhere'));
    expect(await loadTransferReading(store('local'), 'elsewhere')).toBeNull();
  });
});
