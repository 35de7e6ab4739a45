import { afterEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '@/server/errors';
import { readJson, readPricedJson, readText } from './read-json';

const post = (body: BodyInit, type: string | null = 'application/json') =>
  new Request('http://x/mint', {
    method: 'POST',
    body,
    headers: type === null ? {} : { 'content-type': type },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });

async function refusalOf(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    () => new Error('was read'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}

afterEach(() => void vi.useRealTimers());

describe('a JSON body', () => {
  it('is read up to the limit, to the byte', async () => {
    const text = JSON.stringify({ a: 'é' });
    const size = Buffer.byteLength(text);
    expect(await readJson(post(text), size)).toEqual({ a: 'é' });
    expect((await refusalOf(readJson(post(text), size - 1))).code).toBe('body_too_large');
  });

  it('without a declared length is cut off at the limit, not read to its end', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1024).fill(0x20));
      },
    });
    expect((await refusalOf(readJson(post(endless), 8 * 1024))).code).toBe('body_too_large');
    expect(sent).toBeLessThan(20);
  });

  it('that trickles in ends after a time', async () => {
    const slow = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => undefined),
    });
    const error = await refusalOf(readText(post(slow), 100, 20));
    expect([error.code, error.details]).toEqual(['invalid_request', { body: 'broke off' }]);
  });

  it('of another type is a 415 that names the type', async () => {
    const error = await refusalOf(readJson(post('{}', 'text/plain'), 100));
    expect([error.status, error.message]).toEqual([415, expect.stringContaining('text/plain')]);
    expect((await refusalOf(readJson(post('{}', 'application/jsonp'), 100))).status).toBe(415);
    expect(await readJson(post('{}', 'Application/JSON; charset=utf-8'), 100)).toEqual({});
  });

  it.each(['', '{', 'nope', '{"a":}'])('that is no JSON is a 400: %j', async (text) => {
    expect((await refusalOf(readJson(post(text), 100))).code).toBe('invalid_request');
  });
});

describe('the body of a route that costs money', () => {
  const read = (body: BodyInit, type: string | null = 'application/json') =>
    readPricedJson(post(body, type), 100);

  it('is an empty object when it is empty, of any type or none', async () => {
    for (const type of ['application/json', 'text/plain', null])
      expect(await read('', type)).toEqual({});
    expect(await readPricedJson(new Request('http://x/mint', { method: 'POST' }), 100)).toEqual({});
    expect(await read('{}')).toEqual({});
  });

  it('is read or refused like any other when it is not', async () => {
    expect(await read('{"a":1}')).toEqual({ a: 1 });
    expect((await refusalOf(read('{}', 'text/plain'))).status).toBe(415);
    expect((await refusalOf(read(' '))).code).toBe('invalid_request');
    expect((await refusalOf(read('x'.repeat(101)))).code).toBe('body_too_large');
  });

  it.each([null, 'text/plain'])('is incomplete, for any type, when it stalls: %s', async (type) => {
    vi.useFakeTimers();
    const stalled = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) });
    const refused = refusalOf(read(stalled, type));
    await vi.advanceTimersByTimeAsync(30_000);
    const error = await refused;
    expect([error.code, error.details]).toEqual(['invalid_request', { body: 'broke off' }]);
  });

  it('is incomplete, for any type, when its connection is lost', async () => {
    const lost = new ReadableStream<Uint8Array>({ pull: (body) => body.error(new Error('reset')) });
    const error = await refusalOf(read(lost, null));
    expect([error.code, error.details]).toEqual(['invalid_request', { body: 'broke off' }]);
  });
});
