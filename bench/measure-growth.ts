import pg from 'pg';
import { makeWallet } from '@/devnet/client/wallet';
import { awaitMints } from './await-mints';
import { mintMany, payMany, type Place } from './measure-receipts';
import { line, type Line } from './stats';

const RECEIPTS = 300;
/** docs/operation/costs.md says 64.6 KB. Far more than that would make it untrue. */
const MOST_BYTES = 72_000;
/** Tables that take less than this for a receipt share one line. */
const SMALL_BYTES = 200;

/**
 * The database's growth for each free receipt: the tables with their indexes and large values,
 * before and after 300 minted and closed receipts.
 */
export async function measureGrowth(place: Place): Promise<Line[]> {
  const payer = makeWallet();
  const signatures = await payMany(place, payer, RECEIPTS + 20);
  // The first rows of each table allocate its first pages.
  await mint(signatures.splice(0, 20));
  const before = await readSizes(place.databaseUrl);
  console.log(`${RECEIPTS} receipts`);
  await mint(signatures);
  const after = await readSizes(place.databaseUrl);

  const growth = [...after]
    .map(([table, bytes]) => ({ table, bytes: (bytes - (before.get(table) ?? 0)) / RECEIPTS }))
    .sort((a, b) => b.bytes - a.bytes);
  const total = growth.reduce((sum, { bytes }) => sum + bytes, 0);
  const [large, small] = [
    growth.filter(({ bytes }) => bytes >= SMALL_BYTES),
    growth.filter(({ bytes }) => bytes < SMALL_BYTES),
  ];
  const ofSmall = small.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    line(
      'database growth for each receipt',
      `${(total / 1_000).toFixed(1)} KB`,
      `under ${MOST_BYTES / 1_000} KB`,
      total < MOST_BYTES,
    ),
    ...large.map(({ table, bytes }) => line(`  ${table}`, `${(bytes / 1_000).toFixed(2)} KB`)),
    line('  all other tables', `${(ofSmall / 1_000).toFixed(2)} KB`),
  ];

  async function mint(some: string[]): Promise<void> {
    const { ids } = await mintMany(place, payer, some, 10);
    await awaitMints(place.databaseUrl, ids, 'closed');
  }
}

/** Bytes of each table of the service, with indexes and large values, after dead rows were removed. */
async function readSizes(connectionString: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('vacuum');
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  } finally {
    await client.end();
  }
}
