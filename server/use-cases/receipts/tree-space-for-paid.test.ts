import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '@/server/clock';
import type { ServiceContext } from '@/server/context';
import { createMint } from '@/server/nft/mint-rows';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { requireFreeRoom } from './write-requested-receipt';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const LIMITS = { free_wallet: 9, free_pair: 9, free_client: 9, free_all: 9 };
const wish = { wallet: 'A', payer: 'A', seller: 'B', client: null, usdMicros: 500_000n };
const ask = () => {
  const env = { network: 'local', minter: { publicKey: 'minter' }, limits: LIMITS };
  const service = { db: database.prisma, clock: systemClock, env };
  return requireFreeRoom(trusted<ServiceContext>(service, 'all that is read of it'), wish);
};

it('the last tenth of tree space is for paid receipts, and waiting mints have their leaf already', async () => {
  await database.prisma.tree.create({
    data: {
      address: 'tree',
      network: 'local',
      creator: 'minter',
      minter: 'minter',
      maxDepth: 14,
      maxBufferSize: 64,
      canopyDepth: 8,
      capacity: 100n,
      minted: 80n,
      createdAt: new Date(),
    },
  });
  // 20 of 100 leaves are left, and ten are kept.
  await ask();
  for (let n = 0; n < 10; n += 1) {
    const mint = {
      id: `M${n}`,
      kind: 'receipt',
      owner: 'A',
      name: 'Receipt',
      metadataUri: 'uri',
      metadataItemId: 'm',
      imageItemId: 'i',
      transactionSignature: null,
      paymentSignature: null,
      paid: false,
    } as const;
    expect(await ask()).toMatchObject({ wish });
    await createMint(database.prisma, mint, new Date());
  }
  await expect(ask()).rejects.toMatchObject({ code: 'free_mints_unavailable', status: 503 });
  await database.prisma.mint.updateMany({ where: { id: 'M0' }, data: { status: 'completed' } });
  await ask();
  await database.prisma.tree.updateMany({ data: { minted: 90n } });
  await expect(ask()).rejects.toMatchObject({ code: 'free_mints_unavailable' });
});
