import { inject, it, expect } from 'vitest';
import { refuseEmbeddedDatabase } from './refuse-embedded-database';

it('tells the embedded PostgreSQL by its name, so that no cluster is started on it', async () => {
  await expect(refuseEmbeddedDatabase(inject('postgresUrl'))).rejects.toThrow(
    'embedded PostgreSQL',
  );
});
