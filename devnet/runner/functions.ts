import { Cron } from 'croner';
import { z } from 'zod';

/** An event as functions see it. `ts` is in ms since 1970. */
export const eventSchema = z.object({
  id: z.string().optional(),
  name: z.string().min(1, 'event name is empty'),
  data: z.record(z.string(), z.unknown()).nullish(),
  ts: z.number().optional(),
  user: z.unknown().optional(),
  v: z.string().optional(),
});
export type InngestEvent = z.infer<typeof eventSchema> & { id: string; ts: number };

export const FUNCTION_FAILED = 'inngest/function.failed';

/** `event.data.a.b`: the only form of key that needs no expression language. */
const PATH = /^event\.data(\.[A-Za-z_]\w*)+$/;
/** `event.data.a.b == 'text'`: the form that the SDK writes for onFailure. */
const EQUALS = /^(event\.data(?:\.[A-Za-z_]\w*)+) == (?:'([^'\\]*)'|"([^"\\]*)")$/;

const path = z.string().regex(PATH, 'only event.data.<path> is supported');
const limit = z.strictObject({
  limit: z.int().positive(),
  key: path.optional(),
  scope: z.literal('fn').optional(),
});
const eventName = z
  .string()
  .refine((name) => name === FUNCTION_FAILED || !/^inngest\/|\*/.test(name), {
    error: 'only events of the app and inngest/function.failed are supported',
  });

/**
 * A function in the SDK's description at sync. Strict: this runner ignores unnamed settings, and a
 * function must never run with a setting that is silently ignored.
 */
const functionSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  triggers: z.array(
    z.union([
      z.strictObject({
        event: eventName,
        expression: z.string().regex(EQUALS, "only event.data.<path> == 'text'").optional(),
      }),
      z.strictObject({ cron: z.string().refine(isCron, 'not a cron expression of five fields') }),
    ]),
  ),
  steps: z.strictObject({
    step: z.strictObject({
      id: z.string(),
      name: z.string(),
      runtime: z.strictObject({ type: z.literal('http'), url: z.string() }),
      retries: z.strictObject({ attempts: z.int().min(0) }).optional(),
    }),
  }),
  idempotency: path.optional(),
  // A number is short for a limit without a key, an object for a list with one limit.
  concurrency: z
    .preprocess(
      (value) => (typeof value === 'number' ? [{ limit: value }] : [value].flat()),
      z.array(limit),
    )
    .optional(),
});
type Config = z.infer<typeof functionSchema>;
export type AppFunction = Omit<Config, 'concurrency'> & {
  limits: z.infer<typeof limit>[];
  cron: string | null;
  maxAttempts: number;
};

/** Thrown at sync when the app asks for an unsupported setting. */
export class UnsupportedFunction extends Error {}

/**
 * Reads one function of a sync. Throws {@link UnsupportedFunction}, which names function and
 * setting.
 */
export function readFunction(value: unknown): AppFunction {
  const parsed = functionSchema.safeParse(value);
  const { concurrency, ...config } = parsed.success ? parsed.data : refuse(value, parsed.error);
  const crons = config.triggers.flatMap((t) => ('cron' in t ? [t.cron] : []));
  if (crons.length > 1)
    throw new UnsupportedFunction(`function ${config.id}: more than one cron is not supported`);
  return {
    ...config,
    limits: concurrency ?? [],
    cron: crons[0] ?? null,
    // The SDK sends nothing for its default. The server's default is 4 retries.
    maxAttempts: (config.steps.step.retries?.attempts ?? 4) + 1,
  };
}

function refuse(value: unknown, error: z.ZodError): never {
  const id = z.object({ id: z.string() }).safeParse(value).data?.id ?? '?';
  const issues = error.issues.flatMap((i) => (i.code === 'invalid_union' ? i.errors.flat() : [i]));
  const reasons = issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `"${issue.keys.join('", "')}" is not supported`
      : `${issue.path.join('.')}: ${issue.message}`,
  );
  throw new UnsupportedFunction(`function ${id}: ${[...new Set(reasons)].join('; ')}`);
}

/** The functions that an event starts, each with its idempotency key. */
export function functionsFor(functions: Iterable<AppFunction>, event: InngestEvent) {
  return [...functions]
    .filter((fn) =>
      fn.triggers.some((t) => 'event' in t && t.event === event.name && holds(t.expression, event)),
    )
    .map((fn) => ({
      fn,
      idem: fn.idempotency
        ? `key:${JSON.stringify(valueAt(fn.idempotency, event))}`
        : `event:${JSON.stringify(event.id)}`,
    }));
}

/**
 * Names of the concurrency slots that a run of `fn` takes, one for each limit, in the order of
 * `fn.limits`.
 */
export function slotsOf(fn: AppFunction, event: InngestEvent): string[] {
  return fn.limits.map(
    ({ key }, index) => `${fn.id}#${index}${key ? `=${JSON.stringify(valueAt(key, event))}` : ''}`,
  );
}

/** Next time after `after` at which a cron fires (prefix `TZ=Area/City ` allowed, else UTC). */
export function nextCron(cron: string, after: Date): Date {
  const next = parseCron(cron).nextRun(after);
  if (!next) throw new Error(`cron ${cron} never fires again`);
  return next;
}

function parseCron(cron: string): Cron {
  const [, timezone = 'UTC', expression = cron] = /^TZ=(\S+)\s+(.*)$/.exec(cron) ?? [];
  // croner also takes seconds, which the real server does not.
  if (expression.trim().split(/\s+/).length !== 5) throw new Error(`not a cron: ${cron}`);
  return new Cron(expression, { timezone, paused: true });
}

function isCron(cron: string): boolean {
  try {
    return parseCron(cron).nextRun() !== null;
  } catch {
    return false;
  }
}

function holds(expression: string | undefined, event: InngestEvent): boolean {
  const [, left, single, double] = EQUALS.exec(expression ?? '') ?? [];
  return left === undefined || valueAt(left, event) === (single ?? double);
}

function valueAt(expression: string, event: InngestEvent): unknown {
  let value: unknown = event.data ?? {};
  for (const key of expression.split('.').slice(2))
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : null;
  return value ?? null;
}
