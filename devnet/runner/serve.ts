import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { z } from 'zod';
import { bearerOf } from './call-app';
import { fireNow } from './fire-crons';
import { readQueue, readRun, readRunsOfEvent } from './read-runs';
import { receiveEvents } from './receive-events';
import { NO_FAULTS, type Runner } from './runner';
import { saveCheckpoint } from './save-checkpoint';

/** The real server's limit on a body of events. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

const count = z.int().min(0);
const faultsSchema = z
  .strictObject({
    dropEvents: count,
    dropAnswers: count,
    dropCheckpoints: count,
    paused: z.boolean(),
  })
  .partial();

type Reply = { status: number; body?: unknown };

/** The runner's HTTP side: the Inngest server's paths that the SDK uses, and the test switches. */
export function createRunnerServer(runner: Runner): Server {
  return createServer((req, res) => {
    answer(runner, req)
      .catch((error: unknown): Reply => {
        runner.log(`${req.method} ${req.url}: ${String(error)}`);
        return { status: 500, body: { status: 500, error: 'the runner failed, try again' } };
      })
      .then(({ status, body }) => {
        res.writeHead(status, {
          'content-type': 'application/json',
          'x-inngest-server-kind': runner.signingKey ? 'cloud' : 'dev',
        });
        res.end(body === undefined ? '' : JSON.stringify(body));
      });
  });
}

async function answer(runner: Runner, req: IncomingMessage): Promise<Reply> {
  const path = new URL(req.url ?? '/', 'http://runner').pathname;
  const [first, second, third, fourth] = path.split('/').filter(Boolean).map(decodeURIComponent);
  const is = (method: string, pattern: RegExp) => req.method === method && pattern.test(path);
  if (is('POST', /^\/e\/[^/]+$/)) return events(runner, req, second ?? '');
  if (is('POST', /^\/v1\/checkpoint\/[^/]+\/async$/)) return checkpoint(runner, req, third ?? '');
  if (is('GET', /^\/v1\/runs\/[^/]+$/)) {
    const data = await readRun(runner.pool, third ?? '');
    return data ? { status: 200, body: { data } } : { status: 404, body: { error: 'not found' } };
  }
  if (is('GET', /^\/v1\/events\/[^/]+\/runs$/))
    return { status: 200, body: { data: await readRunsOfEvent(runner.pool, third ?? '') } };
  if (is('GET', /^\/health$/)) return health(runner);
  if (is('GET', /^\/_queue$/)) return { status: 200, body: await readQueue(runner.pool) };
  if (is('POST', /^\/_cron$/)) {
    const { functionId } = z.object({ functionId: z.string() }).parse(await readJson(req));
    return (await fireNow(runner, functionId))
      ? { status: 200, body: { ok: true } }
      : { status: 404, body: { error: `no cron function ${functionId}` } };
  }
  if (first === '_faults' && fourth === undefined) return faults(runner, req);
  return { status: 404, body: { error: 'not found' } };
}

async function events(runner: Runner, req: IncomingMessage, key: string): Promise<Reply> {
  const refuse = (status: number, error: string) => ({
    status,
    body: { ids: [''], status, error },
  });
  if (runner.eventKey !== null && !isSame(key, runner.eventKey))
    return refuse(401, 'Event key not found');
  if (runner.faults.dropEvents > 0) {
    runner.faults.dropEvents -= 1;
    return refuse(500, 'dropped by a fault switch');
  }
  const body = await readJson(req).catch(() => undefined);
  if (body === undefined) return refuse(400, 'the body is not JSON of at most 3 MiB');
  const seed = req.headers['x-inngest-event-id-seed'];
  const received = await receiveEvents(runner, body, seed?.toString());
  return received.status === 200
    ? { status: 200, body: received }
    : refuse(received.status, received.error);
}

async function checkpoint(runner: Runner, req: IncomingMessage, runId: string): Promise<Reply> {
  const { signingKey, faults: on } = runner;
  if (signingKey && !isSame(req.headers.authorization ?? '', bearerOf(signingKey)))
    return { status: 401, body: { error: 'Unauthorized' } };
  if (on.dropCheckpoints > 0) {
    on.dropCheckpoints -= 1;
    return { status: 500, body: { error: 'dropped by a fault switch' } };
  }
  const result = await saveCheckpoint(runner, runId, await readJson(req));
  if (result === 'saved') return { status: 200 };
  return result === 'stale'
    ? { status: 409, body: { error: 'stale dispatch' } }
    : { status: 400, body: { error: 'only results of step.run are supported' } };
}

/** 200 only when the queue can be reached and the app's functions are all supported. */
async function health(runner: Runner): Promise<Reply> {
  const reachable = await runner.pool.query('select 1').then(
    () => true,
    () => false,
  );
  const { refused } = runner;
  const status = reachable && refused === null ? 200 : 503;
  return { status, body: { status, functions: runner.functions?.size ?? 0, reachable, refused } };
}

async function faults(runner: Runner, req: IncomingMessage): Promise<Reply> {
  if (req.method === 'POST') {
    const parsed = faultsSchema.safeParse(await readJson(req));
    if (!parsed.success) return { status: 400, body: { error: z.prettifyError(parsed.error) } };
    Object.assign(runner.faults, parsed.data);
  } else if (req.method === 'DELETE') Object.assign(runner.faults, NO_FAULTS);
  runner.wake();
  return { status: 200, body: runner.faults };
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('body is over 3 MiB');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
