import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { childEnv } from '@/scripts/environment';

/**
 * The modules that the release writes with: payments, receipts, mints, statements, files and data
 * of wallets.
 */
const TESTS = [
  'server/api/verbs/write-requested-receipt.test.ts',
  'server/nft/advance-stage.test.ts',
  'server/payments/claim-payment.test.ts',
  'server/payments/open-quote.test.ts',
  'server/payments/find-quotes.test.ts',
  'server/receipts/free-budget.test.ts',
  'server/registrations/list-fee-due.test.ts',
  'server/storage/stored-items.test.ts',
  'server/wallets/sign-in.test.ts',
  'server/db/audit.test.ts',
];

/**
 * Replaces the source of a test's database in the release: from then on, the newer migrations run
 * beside it.
 */
const HARNESS = 'tests/harness/create-test-database.ts';
const MIGRATING = `import { migrate } from '@/newer/migrate';
import { createTestDatabase as createOld, type TestDatabase } from './create-old-database';

export type { TestDatabase };

export async function createTestDatabase(o: { empty?: boolean } = {}): Promise<TestDatabase> {
  const database = await createOld(o);
  if (o.empty) return database;
  const migrated = migrate({ databaseUrl: database.url, dir: 'newer/migrations' });
  migrated.catch(() => undefined);
  return {
    ...database,
    close: async () => {
      const names = await migrated;
      console.log('migrated', names.length, 'beside the release');
      await database.close();
    },
  };
}
`;

const git = (...words: string[]) =>
  execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1 << 28 }).trim();

/** The commit that gave the newest release of the changelog its heading. */
function releaseCommit(): string {
  const [, version = ''] =
    /^## \[(\d+\.\d+\.\d+)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  const found = git('log', '--format=%H', `-S## [${version}]`, '--', 'CHANGELOG.md').split('\n');
  return found.at(-1) ?? '';
}

const hasHistory = () => {
  try {
    return releaseCommit() !== '';
  } catch {
    return false;
  }
};

it.runIf(hasHistory() || process.env.CI)(
  'the previous release passes its own tests during the migrations after it',
  async () => {
    const commit = releaseCommit();
    const dir = mkdtempSync(join(tmpdir(), 'quittance-release-'));
    try {
      execFileSync('git', ['archive', '--output', join(dir, 'release.tar'), commit]);
      execFileSync('tar', ['xf', 'release.tar'], { cwd: dir });
      symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
      cpSync('prisma', join(dir, 'newer'), { recursive: true });
      renameSync(join(dir, HARNESS), join(dir, 'tests/harness/create-old-database.ts'));
      writeFileSync(join(dir, HARNESS), MIGRATING);
      const names = (folder: string) => readdirSync(join(dir, folder));
      const known = new Set(names('prisma/migrations'));
      const newer = names('newer/migrations').filter((name) => !known.has(name));
      const { code, output } = await run(dir);
      expect(code, output.slice(-4_000)).toBe(0);
      for (const [, count = ''] of output.matchAll(/migrated (\d+) beside the release/g))
        expect(Number(count)).toBe(newer.length);
      expect(output.match(/beside the release/g)?.length).toBeGreaterThanOrEqual(TESTS.length - 2);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
  480_000,
);

/** The release's tests, in its own folder and with its own configuration. */
async function run(dir: string): Promise<{ code: number | null; output: string }> {
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--disable-console-intercept',
  ];
  const child = spawn(process.execPath, [...words, ...TESTS], {
    cwd: dir,
    env: childEnv({ NO_COLOR: '1', FORCE_COLOR: '0' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((done) => child.once('close', (code) => done({ code, output })));
}
