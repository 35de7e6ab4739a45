import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REBUILT } from '@/server/admin/awaits-rebuild';
import { writeAudit } from '@/server/db/audit';
import { ServiceError } from '@/server/errors';
import type { Pausable } from '@/server/settings';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { refusePaused } from './guard-call';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const PATHS = ['receipts.create', 'statements.create', 'receipts.find', 'session.begin'];
const PAGES = ['web.prepare', 'web.send', 'web.resume'];

/** The answer to each path: the text of the refusal, otherwise null. */
async function answers(
  o: { pause?: Pausable[]; restore?: string },
  paths: readonly string[] = PATHS,
): Promise<(string | null)[]> {
  const env = { pause: new Set(o.pause), pauseText: 'Back at noon.', restore: o.restore ?? null };
  const ctx = trusted<Parameters<typeof refusePaused>[0]>(
    { service: { db: database.prisma, env } },
    'all that is read of it',
  );
  const texts = [];
  for (const path of paths)
    texts.push(
      await refusePaused(ctx, path).then(
        () => null,
        (error: unknown) =>
          error instanceof ServiceError ? `${error.code}: ${error.message}` : '?',
      ),
    );
  return texts;
}

it('a pause stops what it names and nothing else, with the text of the operator', async () => {
  const paused = 'paused: Back at noon.';
  expect(await answers({})).toEqual([null, null, null, null]);
  expect(await answers({ pause: ['mint'] })).toEqual([paused, null, null, null]);
  expect(await answers({ pause: ['statement'] })).toEqual([null, paused, null, null]);
  expect(await answers({ pause: ['mint', 'statement'] })).toEqual([paused, paused, null, null]);
});

describe('a database from an old backup', () => {
  const refused = expect.stringMatching(/^paused: The service was restored from a backup/);
  const rebuild = (subject: string) =>
    writeAudit(database.prisma, {
      at: new Date(),
      actor: 'admin',
      action: REBUILT,
      subject,
      detail: {},
    });

  it('sells and mints nothing until it was rebuilt; reads go on', async () => {
    expect(await answers({ restore: 'monday' })).toEqual([refused, refused, null, null]);
    expect(await answers({ restore: 'monday' }, PAGES)).toEqual([refused, refused, refused]);
    expect(await answers({ pause: ['mint'] }, PAGES)).toEqual([null, null, null]);
    // The word is that of another backup.
    await rebuild('sunday');
    expect(await answers({ restore: 'sunday' })).toEqual([null, null, null, null]);
    expect(await answers({ restore: 'monday' })).toEqual([refused, refused, null, null]);
    await rebuild('tuesday');
    expect(await answers({ restore: 'tuesday' })).toEqual([null, null, null, null]);
  });
});
