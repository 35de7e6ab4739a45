import { z } from 'zod';
import type { Answer } from './call-app';

/**
 * A step's result in the form that the app gets: `{data}`, `{error}`, or null for a finished sleep.
 */
export type StepResult = { id: string; value: { data: unknown } | { error: unknown } | null };

/** The effect of the app's answer on its run: results to keep, and the next step. */
export type Outcome = { steps: StepResult[]; next: Next };
export type Next =
  | { kind: 'call'; step: string; afterMs: number }
  /** A try failed. `final`: no further try is wanted. */
  | { kind: 'retry'; error: unknown; final: boolean; afterMs: number | null }
  | { kind: 'complete'; output: unknown }
  | { kind: 'fail'; error: unknown }
  /** Nothing ran. */
  | { kind: 'unreachable'; error: unknown };

const opsSchema = z
  .array(
    z.looseObject({
      op: z.string(),
      id: z.string(),
      name: z.string().nullish(),
      data: z.unknown().optional(),
      error: z.unknown().optional(),
    }),
  )
  .nonempty();

/** Longest and shortest wait that an app may ask for, as on the real server. */
const RETRY_AFTER_MS = { min: 1000, max: 86_400_000 };

/**
 * Reads an answer. 206 carries step operations, 200 the function's result, anything else an error
 * thrown outside of steps. An answer without `x-inngest-sdk` is a proxy's page and a failed try,
 * even with status 200. Steps of a Promise.all are called one after the other: the first planned
 * one now, the others when the app names them again. An unknown operation ends the run and is never
 * skipped.
 */
export function readAnswer(answer: Answer, now: Date): Outcome {
  const failed = (error: unknown): Outcome => ({
    steps: [],
    next: {
      kind: 'retry',
      error,
      final: answer.headers['x-inngest-no-retry'] === 'true',
      afterMs: retryAfterMs(answer.headers['retry-after'], now),
    },
  });
  if (answer.headers['x-inngest-sdk'] === undefined)
    return failed(asError(`status ${answer.status} did not come from an Inngest SDK`));
  const body = parseJson(answer.body);
  if (answer.status === 200) return { steps: [], next: { kind: 'complete', output: body } };
  if (answer.status !== 206) return failed(body);
  const ops = opsSchema.safeParse(body);
  if (!ops.success) return failed(asError('the app answered 206 without step operations'));

  const steps: StepResult[] = [];
  let next: Next | null = null;
  for (const op of ops.data) {
    if (op.op === 'StepRun' || op.op === 'Step')
      steps.push({ id: op.id, value: { data: op.data ?? null } });
    // The last try of a step. The function may catch the error, so it is a result like any other.
    else if (op.op === 'StepFailed') steps.push({ id: op.id, value: { error: op.error } });
    else if (op.op === 'StepError') next = failed(op.error).next;
    else if (op.op === 'StepPlanned') next ??= { kind: 'call', step: op.id, afterMs: 0 };
    else if (op.op === 'RunComplete') next = { kind: 'complete', output: op.data ?? null };
    else if (op.op === 'Sleep' && ops.data.length === 1) {
      // Only the next call has to wait, so the sleep can be noted as over at once.
      steps.push({ id: op.id, value: null });
      next = { kind: 'call', step: 'step', afterMs: durationMs(op.name ?? '', now) };
    } else
      return {
        steps: [],
        next: {
          kind: 'fail',
          error: asError(
            `${op.op}${ops.data.length > 1 ? ' beside other steps' : ''} is not supported by the embedded runner`,
          ),
        },
      };
  }
  return { steps, next: next ?? { kind: 'call', step: 'step', afterMs: 0 } };
}

/** Outcome of a call without an answer. Only a refused connection proves that nothing ran. */
export function readFailure(error: unknown): Outcome {
  const message = `Unable to reach SDK URL: ${error instanceof Error ? error.message : String(error)}`;
  const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  return refused
    ? { steps: [], next: { kind: 'unreachable', error: asError(message) } }
    : lostTry(message);
}

/** Outcome of a try whose end was not seen. */
export function lostTry(message: string): Outcome {
  const error = asError(message);
  return {
    steps: [],
    next: { kind: 'retry', error, final: false, afterMs: null },
  };
}

const asError = (message: string) => ({ name: 'Error', message });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `retry-after` is whole seconds or an ISO date. */
function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (!header) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, RETRY_AFTER_MS.min), RETRY_AFTER_MS.max);
}

const UNIT_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** Length of a sleep, at least 1 s like on the real server: `1h30m`, or an ISO date of its end. */
function durationMs(text: string, now: Date): number {
  const until = /^\d{4}-/.test(text) ? Date.parse(text) - now.getTime() : null;
  const parts = text.matchAll(/(\d+)([wdhms])/g);
  const ms =
    until ??
    [...parts].reduce((sum, [, n, unit]) => {
      const key = z.enum(['w', 'd', 'h', 'm', 's']).parse(unit);
      return sum + Number(n) * UNIT_MS[key];
    }, 0);
  return Math.max(ms, 1000);
}
