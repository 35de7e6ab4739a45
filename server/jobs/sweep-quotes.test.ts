import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as serviceModule from '@/server/use-cases/service';
import * as lookOnNodesModule from '@/server/use-cases/payments/look-on-nodes';
import * as resumePurchaseModule from '@/server/use-cases/payments/resume-purchase';
import { muteLog, standIn } from '@/tests/harness/stand-in';
import type { ServiceContext } from '@/server/context';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { sweepOnce } from './sweep-quotes';

const world = {
  db: null as ServiceContext['db'] | null,
  looked: new Array<string>(),
  fails: new Set<string>(),
};
standIn(serviceModule, { serviceContext: () => ({ db: world.db }) });
standIn(lookOnNodesModule, {
  paidAccount: async () => 'account',
  namedOnNodes: async () => ({ named: new Set(['LATE', 'PAID']), isProven: true }),
});
standIn(resumePurchaseModule, {
  resumeQuote: async (_: unknown, { id }: { id: string }) => {
    world.looked.push(id);
    if (world.fails.has(id)) throw new Error('it cannot be looked at');
    return { state: id === 'PAID' ? 'bought' : 'waiting' };
  },
});
muteLog();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  world.db = database.prisma;
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.quote.deleteMany();
  world.looked = [];
  world.fails.clear();
  const now = Date.now();
  const quote = (id: string, mayBeSent: boolean) => ({
    id,
    method: 'POST',
    path: '/mint',
    bodySha256: id,
    payTo: 'till',
    priceMicros: 1n,
    frozen: {},
    mayBeSent,
    // The rubbish was prepared before, so it would be first by its age.
    preparedAt: new Date(now - (id.startsWith('RUBBISH') ? 900_000 : 60_000)),
    createdAt: new Date(now - 1_000_000),
    openUntil: new Date(now + 600_000),
    keepUntil: new Date(now + 6_000_000),
  });
  const rubbish = Array.from({ length: 45 }, (_, n) => quote(`RUBBISH ${n}`, true));
  await database.prisma.quote.createMany({
    data: [...rubbish, quote('PAID', true), quote('LATE', false), quote('FORGOTTEN', false)],
  });
});

it('a sweep checks the quotes that the chain names first, and each waiting one once', async () => {
  expect(await sweepOnce()).toEqual({ bought: 1, open: 47 });
  expect(world.looked.slice(0, 2).sort()).toEqual(['LATE', 'PAID']);
  expect(new Set(world.looked).size).toBe(47);
  expect(world.looked).not.toContain('FORGOTTEN');
});

it('a quote that cannot be checked keeps no other waiting', async () => {
  world.fails = new Set(['LATE', 'RUBBISH 0']);
  expect(await sweepOnce()).toEqual({ bought: 1, open: 47 });
  expect(world.looked).toHaveLength(47);
});
