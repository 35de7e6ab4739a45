import { createServer } from 'node:net';
import * as checkAccountsModule from '@/server/payments/check-accounts';
import { muteLog, standIn } from '@/tests/harness/stand-in';
import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PrismaClient } from '@/generated/prisma/client';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { ServiceContext } from '@/server/context';
import { metrics } from '@/server/metrics';
import { addMint } from '@/server/nft/minting.fixture';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { gatherMetrics } from './gather-metrics';

muteLog();
standIn(checkAccountsModule, {
  paidRoutesState: async () => ({ open: true }),
});

const NOW = new Date('2026-11-29T12:00:00Z');
/** For a database that never answers. A busy machine may take long for one that does. */
const SHORT_MS = 1_000;
const LONG_MS = 20_000;
/** Longest that a connection to it is waited for. */
const MUTE_MS = 15_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addMint(database.prisma);
});
afterAll(() => database.close());

/** A service over a database and nodes at the given slots; null for a node that does not answer. */
function serviceOver(db: PrismaClient, slots: readonly (bigint | null)[] = []): ServiceContext {
  const onNode = (node: number) => ({
    getSlot: async () => {
      const slot = slots[node] ?? null;
      if (slot === null) throw new RpcUnavailable('away');
      return slot;
    },
  });
  return trusted<ServiceContext>(
    {
      db,
      clock: { now: () => NOW },
      rpc: { nodes: slots.length, unmetered: { onNode } },
      env: { network: 'local', minter: { publicKey: 'minter' }, limits: {} },
    },
    'parts that miss something are left out of the metrics, which is tested here',
  );
}

async function scrape(service: ServiceContext, patienceMs = LONG_MS): Promise<string> {
  await gatherMetrics(service, { patienceMs });
  return metrics().registry.metrics();
}

it('each node is shown apart, with how far it is behind, and a silent one has no slot', async () => {
  const text = await scrape(serviceOver(database.prisma, [100n, null, 97n]));
  const lines = text.split('\n').filter((line) => line.startsWith('quittance_node_'));
  expect(lines.filter((line) => !line.includes('disagreements'))).toEqual([
    'quittance_node_up{node="1"} 1',
    'quittance_node_up{node="2"} 0',
    'quittance_node_up{node="3"} 1',
    'quittance_node_slots_behind{node="1"} 0',
    'quittance_node_slots_behind{node="3"} 3',
  ]);
});

/** Every figure that comes from the database. */
const OF_DATABASE =
  /^quittance_(mints|mint_attempts|oldest_pending|undecided|receipts|second_nfts|payments_last|fees|paid_routes|ledger|tree_space|free_mints|storage_items|storage_oldest|mint_cost|minted)[^ ]* /m;

it('figures of the database are shown only while it answers', async () => {
  const well = await scrape(serviceOver(database.prisma));
  expect(well).toContain('quittance_database_up 1');
  expect(well).toContain('quittance_part_up{part="mints"} 1');
  expect(well).toMatch(/^quittance_mints\{status="pending",stage="\w+"\} 1$/m);
  for (const line of ['storage_items_waiting 0', 'paid_routes_open 1', 'ledger_age_seconds 0'])
    expect(well).toContain(`quittance_${line}`);
  expect(well).toContain('quittance_fees_usdc_total{dialect="documented"} 0');

  const closed = 'postgresql://nobody@127.0.0.1:1/none';
  const away = new PrismaClient({ adapter: new PrismaPg({ connectionString: closed }) });
  const text = await scrape(serviceOver(away));
  expect(text).toContain('quittance_database_up 0');
  expect(text).toContain('quittance_part_up{part="mints"} 0');
  expect(OF_DATABASE.exec(text)?.[0]).toBeUndefined();
  await away.$disconnect();

  expect(await scrape(serviceOver(database.prisma))).toContain('quittance_database_up 1');
});

it('a database that swallows questions is waited for once, and asked again when it has answered', async () => {
  await scrape(serviceOver(database.prisma));
  let connections = 0;
  const silent = createServer(() => void (connections += 1));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const connectionString = `postgresql://nobody@127.0.0.1:${port}/none`;
  const mute = new PrismaClient({
    adapter: new PrismaPg({ connectionString, max: 20, connectionTimeoutMillis: MUTE_MS }),
  });
  const started = performance.now();
  const text = await scrape(serviceOver(mute), SHORT_MS);
  // Sooner than the database itself is given up.
  expect(performance.now() - started).toBeLessThan(MUTE_MS);
  expect(text).toContain('quittance_database_up 0');
  expect(OF_DATABASE.exec(text)?.[0]).toBeUndefined();
  const asked = connections;
  expect(asked).toBeGreaterThan(0);
  await scrape(serviceOver(mute), SHORT_MS);
  expect(connections).toBe(asked);
  await expect
    .poll(() => scrape(serviceOver(database.prisma)), { interval: 200 })
    .toContain('quittance_database_up 1');
  await mute.$disconnect();
  silent.close();
});
