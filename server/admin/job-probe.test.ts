import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { awaitProbe, noteAnswered, probeState, restartProbes, sendProbe } from './job-probe';

let database: TestDatabase;
let db: PrismaClient;
let sent = 0;
const send = async () => {
  sent += 1;
};

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.prisma;
});
afterAll(() => database.close());
beforeEach(async () => {
  sent = 0;
  await db.jobProbe.deleteMany();
});

/** As if the row had been written so much earlier. */
const pass = (seconds: number) => db.$executeRaw`
  update job_probes set sent_at = sent_at - make_interval(secs => ${seconds}),
    unanswered_since = unanswered_since - make_interval(secs => ${seconds})`;

describe('the probe of the job server', () => {
  it('is sent once a minute by all processes together', async () => {
    await Promise.all([sendProbe(db, send), sendProbe(db, send), sendProbe(db, send)]);
    expect(sent).toBe(1);
    await pass(51);
    await sendProbe(db, send);
    expect(sent).toBe(2);
  });

  it('is missed once none came back for three minutes, however many were sent', async () => {
    for (let minute = 0; minute < 4; minute += 1) {
      await sendProbe(db, send);
      expect((await probeState(db)).fault).toBeNull();
      await pass(59);
    }
    expect((await probeState(db)).fault).toMatch(/has sent no event back for 23\d s/);
    await noteAnswered(db);
    expect(await probeState(db)).toEqual({ unansweredS: 0, fault: null });
  });

  it('starts a new count in a new process, if no process ran that could receive events', async () => {
    await sendProbe(db, send);
    await pass(3_600);
    await restartProbes(db);
    expect((await probeState(db)).fault).toBeNull();
  });

  it('keeps its count over restarts that are quicker than the report of a fault', async () => {
    for (let minute = 0; minute < 4; minute += 1) {
      await restartProbes(db);
      await sendProbe(db, send);
      await pass(59);
    }
    expect((await probeState(db)).fault).toMatch(/has sent no event back for 23\d s/);
  });

  it('names a wrong event key at once, and forgets it with the next that is taken', async () => {
    await sendProbe(db, async () => {
      throw new Error(
        'Inngest API Error: 401 Event key not found at https://jobs.example/e/secret',
      );
    });
    expect((await probeState(db)).fault).toBe('refuses events (wrong event key)');
    // Sooner than one that was taken.
    await pass(11);
    await sendProbe(db, send);
    expect((await probeState(db)).fault).toBeNull();
  });

  describe('that doctor waits for', () => {
    const wait = (o: { send?: () => Promise<void>; patienceMs?: number } = {}) =>
      awaitProbe(db, { send: o.send ?? send, patienceMs: o.patienceMs ?? 700 });

    it('holds when one came back after it was sent', async () => {
      await sendProbe(db, send);
      await expect(wait({ send: () => noteAnswered(db), patienceMs: 20_000 })).resolves.toBe(
        'came back',
      );
    });

    it('does not hold by one that came back before: a signing key may be wrong since', async () => {
      await sendProbe(db, send);
      await noteAnswered(db);
      await pass(5);
      await db.$executeRaw`update job_probes set answered_at = answered_at - interval '5 seconds'`;
      await expect(wait()).rejects.toThrow('has sent no event back');
    });

    it('can come back to nobody before the first process runs, or long after the last', async () => {
      await expect(wait()).resolves.toBe('nobody');
      await sendProbe(db, send);
      await pass(600);
      await expect(wait()).resolves.toBe('nobody');
      expect(sent).toBe(3);
    });

    it('is refused with what the job server says', async () => {
      const refused = () => Promise.reject(new Error('takes no event'));
      await expect(wait({ send: refused })).rejects.toThrow('takes no event');
    });
  });
});
