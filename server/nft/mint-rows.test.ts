import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { saveItems } from '@/server/storage/stored-items';
import { advanceStage, claimMint, publicError } from './mint-rows';
import { addMint, later, START } from './minting.fixture';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A mint that a worker owns, and its stored item. */
async function owned() {
  const db = database.prisma;
  const { id, imageItemId } = await addMint(db);
  await db.mint.update({ where: { id }, data: { stage: 'final', lastError: 'storage is down' } });
  const item = { id: imageItemId, contentType: 'image/png', dataSha256: 'hash', owner: 'key' };
  await saveItems(db, [{ ...item, raw: Buffer.of(1) }], START);
  const claimed = await claimMint({ db, id, owner: 'worker', leaseMs: 60_000, now: START });
  const row = async () => {
    const mint = await db.mint.findUniqueOrThrow({ where: { id } });
    const { uploadedAt } = await db.storedItem.findUniqueOrThrow({ where: { id: imageItemId } });
    return { stage: mint.stage, lastError: mint.lastError, uploadedAt };
  };
  const advance = (
    minutes: number,
    stage: 'final' | 'image_stored',
    fence = claimed?.fence ?? 0n,
  ) => advanceStage({ db, id, fence, stage, now: later(minutes * 60_000), stored: imageItemId });
  return { row, advance, fence: claimed?.fence ?? 0n };
}

test('a mint moves forward, and its item keeps the time at which it was first served', async () => {
  const { row, advance } = await owned();
  expect(await advance(1, 'image_stored')).toBe('done');
  const moved = { stage: 'image_stored', lastError: null, uploadedAt: later(60_000) };
  expect(await row()).toEqual(moved);
  expect(await advance(2, 'image_stored')).toBe('done');
  expect(await advance(3, 'final')).toBe('done');
  expect(await row()).toEqual(moved);
});

test('a worker that lost the mint moves nothing', async () => {
  const { row, advance, fence } = await owned();
  expect(await advance(1, 'image_stored', fence - 1n)).toBe('lost_lease');
  expect(await row()).toMatchObject({ stage: 'final', lastError: 'storage is down' });
});

test.each([
  [null, null],
  ['transaction_dropped', 'transaction_dropped'],
  [
    'storage: 10.0.0.7:3000 answered 402: no balance for 7uS8; upload.internal answered 404',
    'storage: answered 402',
  ],
  [
    'storage: node.internal answered 200 with something else; gateway.internal did not answer',
    'storage: does not answer',
  ],
  ['storage: http://10.0.0.7 did not answer (ECONNREFUSED)', 'storage: does not answer'],
  [
    'undecided: the transfer: http://rpc.internal/?key=secret is silent',
    'undecided: the Solana nodes cannot say yet whether it landed',
  ],
  ['transaction 5Vx failed: program error 6016', 'the mint transaction failed: program error 6016'],
  ['the mint transaction expired before it landed', 'the mint transaction did not land in time'],
  ['https://rpc.internal did not answer: certificate has expired', 'waiting for the Solana nodes'],
  ['https://rpc.internal/?api-key=secret answered 500', 'waiting for the Solana nodes'],
  ['something that is new in a later version', 'waiting for the Solana nodes'],
])('the public text of the error %j names no machine: %j', (lastError, shown) => {
  expect(publicError({ lastError })).toBe(shown);
});
