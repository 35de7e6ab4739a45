import { expect, it } from 'vitest';
import { keyOfRequest } from './quotes';

const key = (body: object, path = '/mint') => keyOfRequest({ method: 'POST', path, body });

it('a request is the same whatever the order of its fields, and whether absent ones are named', () => {
  expect(key({ a: 1, b: 'é' })).toEqual(key({ b: 'é', a: 1, c: undefined }));
});

it('a request is another one with any other field, value or path', () => {
  const keys = [key({ a: 1 }), key({ a: 2 }), key({ a: 1, b: 1 }), key({ a: 1 }, '/statement')];
  expect(new Set(keys.map(({ requestSha256 }) => requestSha256)).size).toBe(4);
});
