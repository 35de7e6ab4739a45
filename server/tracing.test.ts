import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import { traced, traceWith } from './tracing';

it('only runs the work while nobody traces', async () => {
  const promise = Promise.resolve('done');
  expect(
    traced('request', {}, (note) => {
      note.set({ a: 1 });
      note.fail('code');
      return promise;
    }),
  ).toBe(promise);
});

it('puts spans below the one that is open, and of an error writes the name alone', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  traceWith(provider.getTracer('test'));
  await expect(
    traced('request', { route: '/mint' }, () =>
      traced('rpc getSlot', {}, () => Promise.reject(new RangeError('words of a caller'))),
    ),
  ).rejects.toThrow('words of a caller');
  await traced('another', {}, async () => undefined);
  const [inner, outer, other] = exporter.getFinishedSpans();
  expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  expect([outer?.parentSpanContext, other?.parentSpanContext]).toEqual([undefined, undefined]);
  expect(inner?.status.message).toBe('RangeError');
  expect(JSON.stringify(inner?.events)).toBe('[]');
});
