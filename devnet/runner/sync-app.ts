import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { callApp } from './call-app';
import { nextCron, readFunction, UnsupportedFunction, type AppFunction } from './functions';
import type { Runner } from './runner';
import { inTransaction } from './store';

/** How often an app that has not answered yet is asked. */
const FIRST_POLL_MS = 250;

const answerSchema = z.object({ functions: z.array(z.unknown()) });

/**
 * The functions of the last sync, from the database, so that a restarted runner continues at once.
 */
export async function loadFunctions(runner: Runner): Promise<void> {
  const { rows } = await runner.pool.query<{ config: unknown }>(
    'select config from runner.functions where active',
  );
  if (!rows.length) return;
  adopt(
    runner,
    rows.map((row) => readFunction(row.config)),
  );
}

/**
 * Asks the app for its functions repeatedly, so that it may start later, restart or change. An app
 * with an unsupported function is refused as a whole, and the functions known before stay.
 */
export function startSync(runner: Runner): { stop(): Promise<void> } {
  const stop = new AbortController();
  let last = '';
  const loop = async () => {
    while (!stop.signal.aborted) {
      let known = '';
      try {
        known = await syncOnce(runner, last);
        if (known !== last) runner.log(`${runner.functions?.size ?? 0} functions registered`);
        runner.refused = null;
      } catch (error) {
        const line = error instanceof Error ? error.message : String(error);
        if (error instanceof UnsupportedFunction && runner.refused !== line) {
          runner.refused = line;
          runner.log(`sync refused: ${line}`);
        }
      }
      last = known;
      const pauseMs = known ? runner.pollMs : Math.min(runner.pollMs, FIRST_POLL_MS);
      await sleep(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    async stop() {
      stop.abort();
      await looping;
    },
  };
}

/** One in-band sync. `last` is the answer that is already adopted. Returns the answer. */
async function syncOnce(runner: Runner, last: string): Promise<string> {
  const answer = await callApp({
    method: 'PUT',
    url: new URL(runner.appUrl),
    body: { url: runner.appUrl },
    headers: { 'x-inngest-sync-kind': 'in_band' },
    signingKey: runner.signingKey,
    signal: runner.cut.signal,
  });
  if (answer.status !== 200)
    throw new Error(`sync: status ${answer.status} ${answer.body.slice(0, 200)}`);
  const { functions } = answerSchema.parse(JSON.parse(answer.body));
  const text = JSON.stringify(functions);
  if (text === last) return text;
  const read = functions.map((value) => ({ value, fn: readFunction(value) }));
  await inTransaction(runner.pool, async (client) => {
    await client.query('update runner.functions set active = false where not id = any($1)', [
      read.map(({ fn }) => fn.id),
    ]);
    for (const { value, fn } of read)
      await client.query(
        `insert into runner.functions as f (id, config, active, cron, cron_at)
         values ($1, $2, true, $3, $4)
         on conflict (id) do update set config = $2, active = true, cron = $3,
           cron_at = case when f.active and f.cron = $3 then f.cron_at else $4 end`,
        [fn.id, JSON.stringify(value), fn.cron, fn.cron && nextCron(fn.cron, new Date())],
      );
  });
  adopt(
    runner,
    read.map(({ fn }) => fn),
  );
  return text;
}

function adopt(runner: Runner, functions: AppFunction[]): void {
  runner.functions = new Map(functions.map((fn) => [fn.id, fn]));
  runner.wake();
}
