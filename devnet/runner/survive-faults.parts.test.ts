import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBench, until } from './bench.fixture';

let bench: Awaited<ReturnType<typeof startBench>>;
const first = async (fn: string) => (await bench.runs(fn))[0];

/** One bench for the tests of a block, emptied after each. */
function useBench(o: Parameters<typeof startBench>[0]) {
  beforeAll(async () => {
    bench = await startBench(o);
    await bench.synced();
  });
  afterEach(() => bench.pool.query('truncate runner.runs cascade'));
  afterAll(() => bench.close());
}

/** Makes inserts of some rows fail, like a connection lost at that moment. */
const breakInserts = (table: string, when: string) =>
  bench.pool.query(`
    create or replace function runner.break() returns trigger language plpgsql as
      $$ begin if ${when} then raise 'broken by the test'; end if; return new; end $$;
    create trigger break before insert on runner.${table} for each row execute function runner.break()`);
const repair = (table: string) => bench.pool.query(`drop trigger break on runner.${table}`);

describe('several steps a call', () => {
  useBench({ checkpointing: true });

  test('an app that is down uses up no tries', async () => {
    await bench.app.kill();
    await bench.send('chain', { key: 'a', steps: 1 });
    // More refused connections than the function has tries.
    const refusals = async () =>
      (await bench.pool.query<{ gen: number }>('select gen from runner.runs')).rows[0]?.gen ?? 0;
    await until(async () => (await refusals()) > 4);
    expect(await first('chain')).toMatchObject({ status: 'Running', attempt: 0 });
    bench.app.start();
    await bench.idle();
    expect(await first('chain')).toMatchObject({ status: 'Completed' });
  });

  test('a long queue is not tried repeatedly when the app is down', async () => {
    await bench.app.kill();
    const events = Array.from({ length: 60 }, (_, i) => ({
      name: 'chain',
      data: { key: `q${i}`, steps: 1 },
    }));
    await bench.post('/e/test', events);
    await sleep(1500);
    const { rows } = await bench.pool.query('select sum(gen)::int as calls from runner.runs');
    expect(rows[0].calls).toBeLessThan(60);
    bench.app.start();
    await bench.idle();
    expect((await bench.runs('chain')).every((run) => run.attempt === 0)).toBe(true);
  });

  test('an app that hangs up in the middle uses up a try, and finished steps are kept', async () => {
    await bench.send('chain', { key: 'b', steps: 3, ms: 400 });
    await until(() => bench.notes('step b 0').length === 1);
    await until(async () => (await bench.pool.query('select 1 from runner.steps')).rowCount === 1);
    await bench.app.kill();
    await until(async () => (await first('chain'))?.attempt === 1);
    bench.app.start();
    await bench.idle();
    expect(await first('chain')).toMatchObject({ status: 'Completed' });
    expect(bench.notes('step b 0')).toHaveLength(1);
  });

  test('a checkpoint of a call that is not the current one is refused with 409', async () => {
    await bench.send('chain', { key: 'e', steps: 1, ms: 4_000 });
    const run = await until(async () => {
      const { rows } = await bench.pool.query<{ id: string; gen: number }>(
        'select id, gen from runner.runs where lease_until is not null',
      );
      return rows[0];
    });
    const checkpoint = (gen: number, id: string) =>
      bench.post(`/v1/checkpoint/${run.id}/async`, {
        generation_id: gen,
        steps: [{ op: 'StepRun', id, data: 1 }],
      });
    expect((await checkpoint(run.gen - 1, 'old')).status).toBe(409);
    expect((await checkpoint(run.gen, 'current')).status).toBe(200);
    await bench.idle();
    expect((await checkpoint(run.gen, 'late')).status).toBe(409);
    const { rows } = await bench.pool.query(
      `select id from runner.steps where id in ('old', 'current', 'late')`,
    );
    expect(rows).toEqual([{ id: 'current' }]);
  });

  test('a failed run and the run of its failure handler are saved together', async () => {
    await breakInserts('runs', `new.fn_id like '%-failure'`);
    await bench.send('failing', { key: 'g', how: 'final' });
    await until(() => bench.notes('try g').length === 1);
    await sleep(500);
    expect(await first('failing')).toMatchObject({ status: 'Running' });
    await repair('runs');
    await bench.idle();
    expect(await first('failing')).toMatchObject({ status: 'Failed' });
    expect(bench.notes('failed g')).toHaveLength(1);
    expect(bench.notes('try g')).toHaveLength(1);
  });

  test('events of one request start all their runs or none', async () => {
    await breakInserts('runs', `new.fn_id = 'app-once'`);
    const events = [
      { name: 'chain', data: { key: 'i', steps: 1 } },
      { name: 'once', data: { tx: 'i' } },
    ];
    expect((await bench.post('/e/test', events)).status).toBe(500);
    expect((await bench.pool.query('select 1 from runner.runs')).rowCount).toBe(0);
    await repair('runs');
    expect((await bench.post('/e/test', events)).status).toBe(200);
    await bench.idle();
    expect(bench.notes('once i')).toHaveLength(1);
  });

  test('fault switches lose events, answers and checkpoints, and no work is lost', async () => {
    await bench.post('/_faults', { dropEvents: 1, dropAnswers: 1, dropCheckpoints: 1 });
    expect((await bench.send('chain', { key: 'j', steps: 3 })).status).toBe(500);
    expect((await bench.send('chain', { key: 'j', steps: 3 })).status).toBe(200);
    await bench.idle();
    expect((await first('chain'))?.output).toEqual(['j/0\0', 'j/1\0', 'j/2\0']);
    expect(new Set(bench.notes('step j'))).toEqual(new Set(['0', '1', '2']));
    expect((await bench.post('/_faults', { dropEverything: 1 })).status).toBe(400);
    expect((await bench.get('/_faults')).body).toEqual({
      dropEvents: 0,
      dropAnswers: 0,
      dropCheckpoints: 0,
      paused: false,
    });
  });
});

describe('one step a call', () => {
  useBench({ checkpointing: false, leaseMs: 60_000 });

  test('an answer that comes after the lease passed on is dropped completely', async () => {
    await bench.send('chain', { key: 'f', steps: 1, ms: 4_000 });
    await until(async () => (await bench.get('/_queue')).body.leased === 1);
    // Another runner has taken over the run.
    await bench.pool.query(
      `update runner.runs set gen = gen + 1, owner = 'another', lease_until = now() + interval '1 hour'`,
    );
    await until(() => bench.notes('step f').length === 1);
    await sleep(700);
    expect((await bench.pool.query('select 1 from runner.steps')).rowCount).toBe(0);
    const { rows } = await bench.pool.query('select owner, status from runner.runs');
    expect(rows).toEqual([{ owner: 'another', status: 'Running' }]);
  });

  test("a step's result is saved together with the end of its call", async () => {
    await breakInserts('steps', 'true');
    await bench.send('chain', { key: 'h', steps: 1 });
    await until(() => bench.notes('step h').length === 1);
    await sleep(500);
    expect((await bench.get('/_queue')).body.leased).toBe(1);
    await repair('steps');
    await bench.idle();
    expect(bench.notes('step h')).toHaveLength(1);
  });

  test('a runner that is asked to stop lets a call end', async () => {
    await bench.send('chain', { key: 'd', steps: 4, ms: 300 });
    await until(() => bench.notes('step d').length === 1);
    await bench.restartRunner();
    await bench.idle();
    expect(await first('chain')).toMatchObject({ status: 'Completed' });
    expect(bench.notes('step d')).toEqual(['0', '1', '2', '3']);
  });

  test('a runner that is asked to stop releases a long call, without counting a try', async () => {
    await bench.send('chain', { key: 'l', steps: 1, ms: 8_000 });
    await until(async () => (await bench.get('/_queue')).body.leased === 1);
    await bench.restartRunner();
    await until(async () => (await bench.get('/_queue')).body.leased === 1);
    expect(await first('chain')).toMatchObject({ attempt: 0 });
    await bench.idle();
    expect(bench.notes('step l')).toHaveLength(2);
  });
});

describe('PostgreSQL', () => {
  useBench({ durable: true, leaseMs: 20_000 });

  test('PostgreSQL killed in the middle: every run completes and no step is run again', async () => {
    const keys = Array.from({ length: 5 }, (_, i) => `p${i}`);
    for (const key of keys) await bench.send('chain', { key, steps: 4, ms: 250 });
    for (const step of [0, 2]) {
      await until(() => bench.notes(`step p0 ${step}`).length > 0);
      await bench.killPostgres();
    }
    await bench.idle();
    const runs = await bench.runs('chain');
    expect(runs.map((run) => run.status)).toEqual(Array(5).fill('Completed'));
    for (const key of keys) expect(bench.notes(`step ${key}`)).toEqual(['0', '1', '2', '3']);
  });
});

describe.each([true, false])('processes, checkpointing %s', (checkpointing) => {
  useBench({ ownProcess: true, checkpointing, leaseMs: 4_000 });

  test('a runner that is killed leaves its runs to the next one, which counts a failed try', async () => {
    await bench.send('chain', { key: 'c', steps: 2, ms: 700 });
    await until(async () => (await bench.get('/_queue')).body.leased === 1);
    await bench.runner?.kill();
    bench.runner?.start();
    await until(async () => (await first('chain'))?.attempt === 1);
    await bench.idle();
    expect((await first('chain'))?.output).toEqual(['c/0\0', 'c/1\0']);
  });

  test('a call that takes longer than a lease keeps it', async () => {
    await bench.send('chain', { key: 'k', steps: 1, ms: 6_000 });
    await until(async () => (await bench.get('/_queue')).body.leased === 1);
    await sleep(5_000);
    const held = await bench.pool.query('select lease_until > now() as held, gen from runner.runs');
    expect(held.rows).toEqual([{ held: true, gen: 1 }]);
    await bench.idle();
    expect(await first('chain')).toMatchObject({ status: 'Completed', attempt: 0 });
  });

  test('app and runner killed at random under load: nothing is lost', async () => {
    const keys = Array.from({ length: 30 }, (_, i) => `r${i}`);
    const sending = (async () => {
      for (const key of keys)
        // With the id, a send that is repeated after a lost answer is the same event.
        await until(async () => (await bench.send('sturdy', { key }, { id: key })).status === 200);
    })();
    for (let kill = 0; kill < 6; kill += 1) {
      await sleep(randomInt(300, 1500));
      const victim = kill % 2 ? bench.app : bench.runner;
      await victim?.kill();
      await sleep(randomInt(0, 300));
      victim?.start();
    }
    await sending;
    await bench.idle(120_000);
    const runs = await bench.runs('sturdy');
    expect(runs.map((run) => run.status)).toEqual(Array(keys.length).fill('Completed'));
    for (const run of runs) expect(run.output).toEqual([0, 1, 2, 3, 4, 5]);
    for (const key of keys) {
      const steps = bench.notes(`step ${key}`);
      expect([...new Set(steps)].sort()).toEqual(['0', '1', '2', '3', '4', '5']);
      // Each kill can repeat at most one step of a run.
      expect(steps.length).toBeLessThanOrEqual(12);
      expect([...new Set(bench.notes(`end ${key}`))]).toEqual(['012345']);
    }
  });
});
