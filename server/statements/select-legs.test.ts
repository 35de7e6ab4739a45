import { afterAll, beforeAll, expect, it } from 'vitest';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { storeTransferReadings } from '@/server/chain/stored-reading';
import { MadeTransaction, named, USDC } from '@/tests/harness/chain/made-transaction';
import { withFinality } from '@quittance/verify/chain/transfer';
import { rawTransactionSchema } from '@quittance/verify/chain/raw-transaction';
import type { ServiceContext } from '@/server/context';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { buildRows } from './build-rows';
import { signatureOf } from './list.fixture';
import { selectLegs } from './select-legs';

const [ME, SHOP, THIRD] = [named('me'), named('shop'), named('third')];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const context = () =>
  trusted<Pick<ServiceContext, 'db' | 'env' | 'rpc' | 'clock'>>(
    {
      db: database.prisma,
      env: { network: 'local' },
      rpc: {},
      clock: { now: () => new Date('2026-11-28T12:00:00Z') },
    },
    'tokens at par need no source, and what is kept needs no node',
  );

/** A payment of USDC out of my account to two others, in the form of a history. */
async function paidTo(name: string, shares: { shop: bigint; third: bigint }) {
  const made = new MadeTransaction({ feePayer: SHOP })
    .account('mine', { owner: ME, amount: 90_000_000n })
    .account('of shop', { owner: SHOP, amount: 0n })
    .account('of third', { owner: THIRD, amount: 0n })
    .send('mine', 'of shop', shares.shop, { authority: ME })
    .send('mine', 'of third', shares.third, { authority: ME });
  const raw = rawTransactionSchema.parse({ ...made.raw(), slot: 100, blockTime: 1_770_000_000 });
  const signature = signatureOf(name);
  const read = interpretTransaction(raw, { network: 'local' });
  const { movements } = read;
  if (!movements) throw new Error('nothing moved');
  const reading = withFinality({ ...read, movements: { ...movements, signature } }, 'finalized');
  const one = { signature, reading, slot: 100n, blockTime: movements.blockTime };
  await storeTransferReadings(context(), [one]);
  return { ...one, isFinal: true };
}

const select = (one: Awaited<ReturnType<typeof paidTo>>) =>
  selectLegs(context(), { wallet: ME, transactions: [one], minMicros: 10_000n });
async function rowsOf(one: Awaited<ReturnType<typeof paidTo>>) {
  const { rows, skipped, changes } = await select(one);
  const list = {
    mode: 'scan' as const,
    period: null,
    minMicros: null,
    complete: true,
    rows,
    skipped,
    changes,
  };
  const built = await buildRows(context(), { wallet: ME, list });
  return built.map(({ role, counterparty, amountRaw, leg, usdMicros }) => [
    ...[role, counterparty, amountRaw, leg, usdMicros],
  ]);
}

it('10 USDC as 8.5 and 1.5 are two rows of the payer, none of them skipped', async () => {
  const one = await paidTo('split', { shop: 8_500_000n, third: 1_500_000n });
  expect((await select(one)).skipped).toEqual({});
  expect(await rowsOf(one)).toEqual([
    ['payer', SHOP, 8_500_000n, 0, 8_500_000n],
    ['payer', THIRD, 1_500_000n, 1, 1_500_000n],
  ]);
});

it('a batch payout in equal parts, which has no receipt, is a row for each receiver', async () => {
  const one = await paidTo('batch', { shop: 2_000_000n, third: 2_000_000n });
  expect(one.reading).toMatchObject({ ok: false, code: 'several_sellers' });
  const rows = await rowsOf(one);
  expect(new Set(rows.map(([, counterparty]) => counterparty))).toEqual(new Set([SHOP, THIRD]));
  expect(rows.map(([role, , amount, leg]) => [role, amount, leg])).toEqual([
    ['payer', 2_000_000n, 0],
    ['payer', 2_000_000n, 1],
  ]);
});

it('a leg under a cent is named by its reason, with what it did to the balance', async () => {
  const one = await paidTo('dust', { shop: 8_500_000n, third: 9_999n });
  const found = await select(one);
  expect(found.rows).toMatchObject([{ signature: one.signature, usdMicros: 8_500_000n }]);
  expect(found.skipped).toEqual({ below_min_usd: [one.signature] });
  expect(found.changes).toEqual({
    skipped: { below_min_usd: [{ mint: USDC, decimals: 6, raw: -9_999n }] },
    leftOut: {},
  });
});
