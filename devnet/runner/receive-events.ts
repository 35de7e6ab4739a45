import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { eventSchema, functionsFor } from './functions';
import type { Runner } from './runner';
import { createRuns } from './store';

/** The real server's limit on the events of one request. */
const MAX_EVENTS = 5000;

const bodySchema = z.preprocess(
  (body) => (Array.isArray(body) ? body : [body]),
  z
    .array(eventSchema)
    .max(MAX_EVENTS)
    .refine((events) => events.every((event) => !event.name.startsWith('inngest/')), {
      error: 'event name is reserved for internal use',
    }),
);

export type Received = { status: 200; ids: string[] } | { status: 400 | 503; error: string };

/**
 * Takes events. All runs that they start are committed before the answer. A known event id gets the
 * same kind of answer with a new internal id, and starts nothing. `seed` is the SDK's
 * `x-inngest-event-id-seed`. It is equal in all tries of one send, so a try whose answer was lost
 * does not count twice.
 */
export async function receiveEvents(
  runner: Runner,
  body: unknown,
  seed: string | undefined,
): Promise<Received> {
  // Before an app has registered, the functions of an event are unknown. A refusal is better than a
  // loss.
  if (!runner.functions) return { status: 503, error: 'no app has registered yet' };
  const functions = [...runner.functions.values()];
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success)
    return { status: 400, error: parsed.error.issues[0]?.message ?? 'bad event' };
  const events = parsed.data.map((event, i) => {
    const internalId = seed ? hash(`${seed}/${i}`) : randomUUID();
    const id = event.id === undefined || event.id === '' ? internalId : event.id;
    return { internalId, event: { ...event, id, ts: event.ts ?? Date.now() } };
  });
  const runs = events.flatMap(({ event, internalId }) =>
    functionsFor(functions, event).map((started) => ({ ...started, event, eventId: internalId })),
  );
  await createRuns(runner.pool, runs);
  runner.wake();
  return { status: 200, ids: events.map((e) => e.internalId) };
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
