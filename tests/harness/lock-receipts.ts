import { Client } from 'pg';
import type { TestService } from './to-test-service';

/**
 * Stops receipts from being written, like a busy database, until the returned function is called.
 */
export async function lockReceipts({ databaseUrl }: TestService): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin; lock table receipts in exclusive mode');
  return () => client.end();
}
