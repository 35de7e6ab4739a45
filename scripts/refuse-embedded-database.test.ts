import { expect, it } from 'vitest';
import { testPostgresUrl } from '@/tests/harness/test-postgres';
import { refuseEmbeddedDatabase } from './refuse-embedded-database';

it('recognises the embedded PostgreSQL by its name, so that no cluster uses it', async () => {
  await expect(refuseEmbeddedDatabase(testPostgresUrl())).rejects.toThrow('embedded PostgreSQL');
});
