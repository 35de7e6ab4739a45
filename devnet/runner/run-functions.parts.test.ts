import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBench, until } from './bench.fixture';

describe.each([true, false])('with checkpointing %s', (checkpointing) => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  beforeAll(async () => {
    bench = await startBench({ checkpointing });
    await bench.synced();
  });
  afterAll(() => bench.close());

  const ended = (fn: string, count = 1) =>
    until(async () => {
      const runs = await bench.runs(fn);
      return runs.length === count && runs.every((r) => r.status !== 'Running') && runs;
    });

  test('runs each step once and remembers its result, NUL characters included', async () => {
    const sent = await bench.send('chain', { key: 'a', steps: 5, odd: '\0\ud800' });
    expect(sent.body).toEqual({ status: 200, ids: [expect.any(String)] });
    const found = await until(async () => {
      const { body } = await bench.get(`/v1/events/${sent.body.ids[0]}/runs`);
      return body.data[0]?.status === 'Completed' && body.data;
    });
    expect(found).toHaveLength(1);
    expect(found[0].output).toEqual([0, 1, 2, 3, 4].map((i) => `a/${i}\0`));
    expect(bench.notes('step a')).toEqual(['0', '1', '2', '3', '4']);
    const one = await bench.get(`/v1/runs/${found[0].run_id}`);
    expect(one.body.data).toMatchObject({ function_id: 'app-chain', status: 'Completed' });
  });

  test('repeats a failed step alone and goes on', async () => {
    await bench.send('chain', { key: 'b', steps: 3, failAt: 1, failures: 2 });
    await ended('chain', 2);
    expect(bench.notes('step b')).toEqual(['0', '1', '1', '1', '2']);
  });

  test('three tries, then the failure handler, once', async () => {
    await bench.send('failing', { key: 'c' });
    await ended('failing-failure', 1);
    expect(bench.notes('before c')).toHaveLength(1);
    expect(bench.notes('try c')).toEqual(['0 3', '1 3', '2 3']);
    expect(bench.notes('failed c')).toEqual(['app-failing broken']);
    expect((await bench.runs('failing'))[0]).toMatchObject({ status: 'Failed' });
  });

  test('NonRetriableError is one try; RetryAfterError waits as long as it says', async () => {
    const start = Date.now();
    await bench.send('failing', { key: 'd', how: 'final' });
    await bench.send('failing', { key: 'e', how: 'later' });
    await until(() => bench.notes('failed d').length === 1);
    expect(bench.notes('try d')).toHaveLength(1);
    await ended('failing', 3);
    expect(bench.notes('try e')).toHaveLength(2);
    expect(Date.now() - start).toBeGreaterThan(1000);
    expect(bench.notes('failed e')).toEqual([]);
  });

  test('a function may catch the error of a step that failed permanently', async () => {
    await bench.send('catching', { key: 'f' });
    expect((await ended('catching'))[0]?.status).toBe('Completed');
    expect(bench.notes('caught f')[0]).toContain('broken');
  });

  test('an error outside of steps is retried as often as the function says', async () => {
    await bench.send('throwing', { key: 'g' });
    const [run] = await ended('throwing');
    expect(run).toMatchObject({ status: 'Failed', last_error: 'outside of steps' });
    expect(bench.notes('throw')).toHaveLength(2);
  });

  test('a sleep between steps takes up no slot', async () => {
    await bench.send('sleeping', { key: 'h' });
    await until(async () => (await bench.get('/_queue')).body.later === 1);
    await ended('sleeping');
    const [asleep, awake] = [bench.notes('asleep h'), bench.notes('awake h')];
    expect([asleep.length, awake.length]).toEqual([1, 1]);
    expect(Number(awake[0]) - Number(asleep[0])).toBeGreaterThanOrEqual(1990);
  });

  test('steps of a Promise.all are all run, once each', async () => {
    await bench.send('parallel', { key: 'i' });
    await ended('parallel');
    expect(bench.notes('part i').sort()).toEqual(['a1', 'b1', 'c1']);
    expect(bench.notes('joined i')).toEqual(['a2,b2,c2']);
  });

  test('a concurrency key lets one run at a time of each wallet, and different wallets in parallel', async () => {
    await bench.post('/e/test', [
      ...['x', 'x', 'x', 'x', 'y', 'y', 'y', 'y'].map((wallet) => ({
        name: 'keyed',
        data: { wallet },
      })),
    ]);
    await ended('keyed', 8);
    const spans = (wallet: string) => {
      const leaves = bench.notes(`leave ${wallet}`).map(Number);
      return bench.notes(`enter ${wallet}`).map((at, i) => [Number(at), leaves[i] ?? 0] as const);
    };
    for (const wallet of ['x', 'y'])
      spans(wallet).forEach(([, leave], i, all) =>
        expect(all[i + 1]?.[0] ?? Infinity).toBeGreaterThanOrEqual(leave),
      );
    const together = spans('x').filter(([enter, leave]) =>
      spans('y').some(([e, l]) => e < leave && enter < l),
    );
    expect(together.length).toBeGreaterThan(0);
  });

  test('runs that wait for a slot do not delay other functions', async () => {
    const events = Array.from({ length: 30 }, () => ({ name: 'keyed', data: { wallet: 'z' } }));
    await bench.post('/e/test', events);
    await bench.send('chain', { key: 'n', steps: 1 });
    await until(() => bench.notes('step n').length === 1);
    expect(bench.notes('leave z').length).toBeLessThan(20);
    await bench.pool.query(`delete from runner.runs where fn_id = 'app-keyed'`);
  });

  test('one event id, or one idempotency key, is one run', async () => {
    const first = await bench.send('chain', { key: 'j', steps: 1 }, { id: 'same' });
    const second = await bench.send('chain', { key: 'j', steps: 1 }, { id: 'same' });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.ids).not.toEqual(first.body.ids);
    await Promise.all([1, 2, 3].map(() => bench.send('once', { tx: 'k' })));
    await bench.idle();
    expect(bench.notes('step j')).toHaveLength(1);
    expect(bench.notes('once k')).toHaveLength(1);
  });

  test("the SDK's repeated send of one event is one run", async () => {
    const headers = { 'x-inngest-event-id-seed': '1764200000000,AAECAwQFBgcICQ==' };
    const body = { name: 'chain', data: { key: 'l', steps: 1 } };
    const answers = [
      await bench.post('/e/test', body, headers),
      await bench.post('/e/test', body, headers),
    ];
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    await bench.idle();
    expect(bench.notes('step l')).toHaveLength(1);
  });

  test('a cron function runs when due, once, and not during its last run', async () => {
    await bench.pool.query(
      `update runner.functions set cron_at = '2026-01-01T00:00:00Z' where id = 'app-sweep'`,
    );
    await ended('sweep');
    const { rows } = await bench.pool.query(
      `select cron_at > now() as later from runner.functions where id = 'app-sweep'`,
    );
    expect(rows).toEqual([{ later: true }]);
    await bench.post('/_faults', { paused: true });
    for (let i = 0; i < 2; i += 1) {
      await bench.pool.query(`update runner.functions set cron_at = now() where id = 'app-sweep'`);
      await until(
        async () =>
          (await bench.pool.query(`select 1 from runner.functions where cron_at < now()`))
            .rowCount === 0,
      );
    }
    await bench.get('/_faults', { method: 'DELETE' });
    await ended('sweep', 2);
    expect((await bench.post('/_cron', { functionId: 'sweep' })).status).toBe(200);
    expect((await bench.post('/_cron', { functionId: 'nobody' })).status).toBe(404);
    await ended('sweep', 3);
    expect(bench.notes('swept')).toEqual(Array(3).fill('inngest/scheduled.timer'));
  });

  test('an unsupported operation fails the run and the error names it', async () => {
    await bench.send('odd', { key: 'm' });
    const [run] = await ended('odd');
    expect(run).toMatchObject({
      status: 'Failed',
      last_error: 'WaitForEvent is not supported by the embedded runner',
    });
  });

  test('invalid events are refused', async () => {
    const refused = async (body: unknown) => {
      const answer = await bench.post('/e/test', body);
      expect(answer.body).toMatchObject({ ids: [''], status: 400 });
      return answer.body.error;
    };
    expect(await refused({ name: '', data: {} })).toBe('event name is empty');
    expect(await refused({ name: 'inngest/function.failed', data: {} })).toContain('reserved');
    await refused({ name: 'x', data: 'text' });
    await refused(7);
  });
});
