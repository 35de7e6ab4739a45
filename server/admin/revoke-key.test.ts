import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { SettingsError } from '@/server/env';
import { addMint, addTree, makeChain, type TestChain } from '@/server/nft/minting.fixture';
import { noteIssuerKey } from '@/server/storage/issuer-keys';
import { makeWorkers } from '@/server/nft/workers.fixture';
import { wasInUse } from '@quittance/verify/receipts/check-line';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { refuseRevokedKeys, revokeKey } from './revoke-key';

let database: TestDatabase;
let db: PrismaClient;
let world: TestChain;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.prisma;
});
afterAll(() => database.close());
beforeEach(async () => {
  world = makeChain();
  await noteIssuerKey(db, {
    kind: 'creator',
    publicKey: key(),
    now: new Date('2026-01-01T00:00:00Z'),
  });
});

const { work } = makeWorkers(() => ({ db, world }));
const key = () => world.minter.publicKey;
const revoke = (from: Date | null, publicKey = key()) =>
  revokeKey(db, { publicKey, from, actor: 'admin' });
const keyRow = () =>
  db.issuerKey.findUniqueOrThrow({
    where: { kind_publicKey: { kind: 'creator', publicKey: key() } },
  });

test('a revoked key ends at the time that is named, with its trees, and names what may not count', async () => {
  const tree = await addTree(world, db);
  const mint = await addMint(db);
  await (await work(mint)).sign();
  const from = new Date('2026-03-01T00:00:00Z');
  const result = await revoke(from);
  expect(result).toEqual({
    state: 'revoked',
    from,
    kinds: ['creator'],
    retired: [tree.address],
    doubtful: [mint.id],
  });
  expect(await keyRow()).toMatchObject({ usedUntil: from, revokedAt: expect.any(Date) });
  const where = { address: tree.address };
  expect(await db.tree.findUniqueOrThrow({ where })).toMatchObject({ retiredAt: from });
  const audit = await db.auditEntry.findFirstOrThrow({ where: { subject: key() } });
  expect(audit).toMatchObject({ actor: 'admin', action: 'keys.revoke' });
});

test('names what was minted after the end and restored since, and what a storage key signed after it', async () => {
  const tree = await addTree(world, db);
  const [restored, early, stored] = [await addMint(db), await addMint(db), await addMint(db)];
  const from = new Date('2026-03-01T00:00:00Z');
  const at = (day: string) => new Date(`2026-${day}T00:00:00Z`);
  for (const [{ id }, completedAt] of [
    [restored, at('03-02')],
    [early, at('02-27')],
  ] as const)
    await db.mint.update({ where: { id }, data: { tree: tree.address, completedAt } });
  expect(await revoke(from)).toMatchObject({ doubtful: [restored.id] });

  const storage = makeChain().minter.publicKey;
  await db.issuerKey.create({
    data: { kind: 'storage', publicKey: storage, usedFrom: at('01-01') },
  });
  const { metadataItemId } = await db.mint.findUniqueOrThrow({ where: { id: stored.id } });
  await db.storedItem.create({
    data: {
      id: metadataItemId,
      contentType: 'application/json',
      raw: Buffer.from('{}'),
      dataSha256: '00',
      owner: storage,
      createdAt: at('03-02'),
    },
  });
  expect(await revoke(from, storage)).toMatchObject({ doubtful: [stored.id] });
});

test('the end of a key is moved to an earlier time, never to a later one', async () => {
  const [early, late] = [new Date('2026-02-01T00:00:00Z'), new Date('2026-03-01T00:00:00Z')];
  await revoke(late);
  expect(await revoke(null)).toMatchObject({ from: late });
  expect(await revoke(early)).toMatchObject({ from: early });
  expect(await revoke(late)).toMatchObject({ from: early });
  expect(await keyRow()).toMatchObject({ usedUntil: early });
});

test('a key that was never ours and a time to come are refused, and nothing is written', async () => {
  const strange = makeChain().minter.publicKey;
  expect(await revoke(null, strange)).toMatchObject({ state: 'refused' });
  expect(await revoke(new Date(Date.now() + 3_600_000))).toMatchObject({ state: 'refused' });
  expect(await keyRow()).toMatchObject({ usedUntil: null, revokedAt: null });
});

test('no process starts with a revoked key', async () => {
  const settings = { minter: world.minter, storage: makeChain().minter };
  await refuseRevokedKeys(db, settings);
  await revoke(null);
  await expect(refuseRevokedKeys(db, settings)).rejects.toThrow(SettingsError);
  await expect(refuseRevokedKeys(db, settings)).rejects.toThrow(`MINTER_KEY is the revoked key`);
});

test('a key that was replaced has ten minutes of slack at its end, a revoked one none', () => {
  const entry = { used_from: '2026-01-01T00:00:00Z', used_until: '2026-02-01T00:00:00Z' };
  const after = new Date('2026-02-01T00:00:01Z');
  expect(wasInUse(entry, after)).toBe(true);
  const revoked = { ...entry, revoked_at: '2026-02-05T00:00:00Z' };
  expect(wasInUse(revoked, after)).toBe(false);
  expect(wasInUse(revoked, new Date('2026-02-01T00:00:00Z'))).toBe(true);
});
