import { Client } from 'pg';
import { EMBEDDED_CLUSTER } from '@/server/keys';

/** Throws when a database is the embedded one, by any address. Real money must not depend on it. */
export async function refuseEmbeddedDatabase(databaseUrl: string): Promise<void> {
  if (await isEmbeddedDatabase(databaseUrl))
    throw new Error('DATABASE_URL is the embedded PostgreSQL, which serves NETWORK=local only');
}

/** Whether the server behind a connection string is the embedded one. */
export async function isEmbeddedDatabase(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ cluster_name: string }>('show cluster_name');
    return rows[0]?.cluster_name === EMBEDDED_CLUSTER;
  } finally {
    await client.end();
  }
}
