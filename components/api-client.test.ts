import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiClient, failureOf, mayPass, NO_ANSWER_IN_TIME, withHeaders } from './api-client';

/** A service that answers each call after a time. */
function serve(answerMs: number): void {
  vi.stubGlobal('fetch', (_input: unknown, init: RequestInit) => {
    return new Promise<Response>((resolve, reject) => {
      const { signal } = init;
      signal?.addEventListener('abort', () => reject(signal.reason));
      setTimeout(() => resolve(Response.json({ result: { data: { json: {} } } })), answerMs);
    });
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const words = { service_type: 'Coffee' };
const calls = {
  batched: () => apiClient.web.words.query(words),
  alone: () => apiClient.web.words.query(words, { context: withHeaders({}) }),
  long: () => apiClient.web.check.query({ receipt_id: '8K3M0Q9TZX1A' }),
};

/** The failure of a call after a time. Null while there is none. */
async function after(call: () => Promise<unknown>, ms: number) {
  let seen: ReturnType<typeof failureOf> | null = null;
  call().catch((error: unknown) => {
    seen = failureOf(error);
  });
  await vi.advanceTimersByTimeAsync(ms);
  return seen;
}

test.each(['batched', 'alone'] as const)('a %s call ends after half a minute', async (kind) => {
  serve(3_600_000);
  expect(await after(calls[kind], 29_000)).toBeNull();
  const failure = await after(calls[kind], 31_000);
  expect(failure).toMatchObject({ code: 'unreachable', status: NO_ANSWER_IN_TIME });
  expect(failure && mayPass(failure)).toBe(true);
});

test('a check of many facts gets two minutes', async () => {
  serve(3_600_000);
  expect(await after(calls.long, 119_000)).toBeNull();
  expect(await after(calls.long, 121_000)).toMatchObject({ status: NO_ANSWER_IN_TIME });
});

test('a reader who leaves is no timeout, and an answer in time is no failure', async () => {
  serve(10_000);
  const left = new AbortController();
  const leaving = apiClient.web.words.query(words, {
    signal: left.signal,
    context: withHeaders({}),
  });
  const seen = leaving.catch((error: unknown) => failureOf(error));
  await vi.advanceTimersByTimeAsync(1_000);
  left.abort();
  expect(await seen).toMatchObject({ code: 'unreachable', status: 0 });
  expect(await after(calls.alone, 31_000)).toBeNull();
});
