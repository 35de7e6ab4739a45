import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import { trusted } from './trusted';

/** Attributes of a span: words of our own, ids and counts; never a body, a key or a text of a caller. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Attributes that work may add to its own span. */
export type SpanNote = {
  set(attributes: Attributes): void;
  /** Marks it as failed, by a word that says how. */
  fail(code: string): void;
};

type Place = { tracer: Tracer; open: AsyncLocalStorage<Span> };

/** The server's bundles may each hold a copy of this module: there is one tracer all the same. */
const PLACE = Symbol.for('quittance.tracing');
const NO_NOTE: SpanNote = { set: () => undefined, fail: () => undefined };

/** From now on work is traced. Not the global tracer: spans of libraries are not ours to send. */
export function traceWith(tracer: Tracer): void {
  const place: Place = { tracer, open: new AsyncLocalStorage() };
  Reflect.set(globalThis, PLACE, place);
}

/** Runs work as a span below the one that is open here; without a tracer it only runs it. */
export function traced<T>(
  name: string,
  attributes: Attributes,
  work: (note: SpanNote) => Promise<T>,
): Promise<T> {
  const known: unknown = Reflect.get(globalThis, PLACE);
  return known ? record(trusted<Place>(known, 'only traceWith writes there')) : work(NO_NOTE);

  async function record({ tracer, open }: Place): Promise<T> {
    const above = open.getStore();
    const context = above ? trace.setSpan(ROOT_CONTEXT, above) : ROOT_CONTEXT;
    const span = tracer.startSpan(name, { attributes: { ...attributes } }, context);
    const fail = (code: string) => span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    const note: SpanNote = { set: (more) => void span.setAttributes({ ...more }), fail };
    try {
      return await open.run(span, () => work(note));
    } catch (error) {
      // The name alone: a message may hold what somebody wrote.
      fail(error instanceof Error ? error.name : 'error');
      throw error;
    } finally {
      span.end();
    }
  }
}
