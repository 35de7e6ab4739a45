import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { noteAnswered, probeState, restartProbes, sendProbe } from './job-probe';

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

  it('counts anew for a process that starts, while which nothing came back', async () => {
    await sendProbe(db, send);
    await pass(3_600);
    await restartProbes(db);
    expect((await probeState(db)).fault).toBeNull();
  });

  it('counts on through restarts that come quicker than a fault is told', async () => {
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
});
