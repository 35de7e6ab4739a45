import { Client } from 'pg';
import type { TestService } from './to-test-service';

/** Keeps receipts from being written, as a database that is busy would, until what it gives is called. */
export async function lockReceipts({ databaseUrl }: TestService): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin; lock table receipts in exclusive mode');
  return () => client.end();
}
