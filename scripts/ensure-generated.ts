import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { childEnv } from './environment';
import { hashFiles, isStamped } from './hash-files';

/** A file for each module. */
const SCHEMA = 'prisma/schema';
const STAMP = 'generated/schema.sha256';
const PRISMA = 'node_modules/prisma/build/index.js';
const CLIENT = 'generated/prisma/client.ts';

/** Generates the database client when it is missing or older than the schema. */
export function ensureGenerated(): void {
  const hash = hashFiles([SCHEMA, 'node_modules/prisma/package.json']);
  if (existsSync(CLIENT) && isStamped(STAMP, hash)) return;
  const made = spawnSync(process.execPath, [PRISMA, 'generate', '--schema', SCHEMA], {
    // Any existing file. The engine is not used, but would be downloaded.
    env: childEnv({ PRISMA_SCHEMA_ENGINE_BINARY: 'package.json', PRISMA_HIDE_UPDATE_MESSAGE: '1' }),
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`prisma generate failed:\n${made.stdout}${made.stderr}`);
  writeFileSync(STAMP, hash);
}
