/**
 * An app of a few functions behind the SDK's own serve handler, in a process that tests can kill.
 * It appends a line to the file `journal` for every effect. Arguments: port, journal file, address
 * of the runner.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Inngest, NonRetriableError, RetryAfterError } from 'inngest';
import { serve } from 'inngest/node';
import { setTimeout as sleep } from 'node:timers/promises';

const [port = '0', journal = '', runner = ''] = process.argv.slice(2);
const inngest = new Inngest({
  id: 'app',
  baseUrl: runner,
  isDev: !process.env.INNGEST_SIGNING_KEY,
  checkpointing: process.env.CHECKPOINTING !== '0',
});
const note = (...words: unknown[]) => appendFileSync(journal, `${words.join(' ')}\n`);

/** Tries of each key by this process. */
const tries = new Map<string, number>();
const nth = (key: string) => {
  tries.set(key, (tries.get(key) ?? 0) + 1);
  return tries.get(key) ?? 0;
};

const chain = inngest.createFunction(
  { id: 'chain', retries: 2, triggers: [{ event: 'chain' }] },
  async ({ event, step }) => {
    const results: string[] = [];
    for (let i = 0; i < event.data.steps; i += 1)
      results.push(
        await step.run(`s${i}`, async () => {
          if (event.data.ms) await sleep(event.data.ms);
          note('step', event.data.key, i);
          if (event.data.failAt === i && nth(event.data.key) <= event.data.failures)
            throw new Error(`no luck \u0000 ${i}`);
          return `${event.data.key}/${i}\u0000`;
        }),
      );
    return results;
  },
);

/** Like chain, with more tries: kills count as tries too. */
const sturdy = inngest.createFunction(
  { id: 'sturdy', retries: 20, concurrency: { limit: 6 }, triggers: [{ event: 'sturdy' }] },
  async ({ event, step }) => {
    const results: number[] = [];
    for (let i = 0; i < 6; i += 1)
      results.push(
        await step.run(`s${i}`, async () => {
          await sleep(20);
          note('step', event.data.key, i);
          return i;
        }),
      );
    await step.run('end', () => note('end', event.data.key, results.join('')));
    return results;
  },
);

const failing = inngest.createFunction(
  {
    id: 'failing',
    retries: 2,
    triggers: [{ event: 'failing' }],
    onFailure: async ({ event, error, step }) => {
      await step.run('note', () =>
        note('failed', event.data.event.data.key, event.data.function_id, error.message),
      );
    },
  },
  async ({ event, step, attempt, maxAttempts }) => {
    await step.run('before', () => note('before', event.data.key));
    await step.run('break', () => {
      note('try', event.data.key, attempt, maxAttempts);
      if (event.data.how === 'final') throw new NonRetriableError('never');
      if (event.data.how === 'later' && nth(event.data.key) === 1)
        throw new RetryAfterError('busy', '2s');
      if (event.data.how === 'later') return;
      throw new Error('broken');
    });
  },
);

const catching = inngest.createFunction(
  { id: 'catching', retries: 0, triggers: [{ event: 'catching' }] },
  async ({ event, step }) => {
    try {
      await step.run('break', () => {
        throw new Error('broken');
      });
    } catch (error) {
      await step.run('caught', () => note('caught', event.data.key, String(error)));
    }
  },
);

const throwing = inngest.createFunction(
  { id: 'throwing', retries: 1, triggers: [{ event: 'throwing' }] },
  ({ event }) => {
    note('throw', event.data.key);
    throw new Error('outside of steps');
  },
);

const sleeping = inngest.createFunction(
  { id: 'sleeping', triggers: [{ event: 'sleeping' }] },
  async ({ event, step }) => {
    await step.run('before', () => note('asleep', event.data.key, Date.now()));
    await step.sleep('nap', '2s');
    await step.run('after', () => note('awake', event.data.key, Date.now()));
  },
);

const parallel = inngest.createFunction(
  { id: 'parallel', triggers: [{ event: 'parallel' }] },
  async ({ event, step }) => {
    const one = async (name: string) => {
      await step.run(`${name}1`, () => note('part', event.data.key, `${name}1`));
      return step.run(`${name}2`, () => `${name}2`);
    };
    const all = await Promise.all([one('a'), one('b'), one('c')]);
    await step.run('join', () => note('joined', event.data.key, all.join()));
  },
);

const keyed = inngest.createFunction(
  {
    id: 'keyed',
    concurrency: [{ limit: 1, key: 'event.data.wallet' }],
    triggers: [{ event: 'keyed' }],
  },
  async ({ event, step }) => {
    await step.run('work', async () => {
      note('enter', event.data.wallet, Date.now());
      await sleep(150);
      note('leave', event.data.wallet, Date.now());
    });
  },
);

const once = inngest.createFunction(
  { id: 'once', idempotency: 'event.data.tx', triggers: [{ event: 'once' }] },
  async ({ event, step }) => {
    await step.run('work', () => note('once', event.data.tx));
  },
);

const sweep = inngest.createFunction(
  // A day on which no test runs.
  { id: 'sweep', retries: 0, triggers: [{ cron: '0 0 29 2 *' }] },
  async ({ event, step }) => {
    await step.run('work', () => note('swept', event.name));
  },
);

const odd = inngest.createFunction(
  { id: 'odd', triggers: [{ event: 'odd' }] },
  async ({ event, step }) => {
    await step.waitForEvent('wait', { event: 'never', timeout: '1h' });
    note('odd', event.data.key);
  },
);

const functions = [
  ...[chain, sturdy, failing, catching, throwing, sleeping, parallel, keyed, once, sweep, odd],
  ...(process.env.REFUSED
    ? [
        inngest.createFunction(
          {
            id: 'limited',
            rateLimit: { limit: 1, period: '1m' },
            triggers: [{ event: 'limited' }],
          },
          () => undefined,
        ),
      ]
    : []),
];

createServer(serve({ client: inngest, functions })).listen(Number(port), '127.0.0.1');
