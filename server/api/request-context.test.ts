import { describe, expect, it } from 'vitest';
import { readWait } from './request-context';

describe('Prefer: wait', () => {
  it.each([
    [null, null],
    ['', null],
    ['wait=10', 10],
    ['respond-async, wait=5', 5],
    ['wait="7"; foo=bar', 7],
    ['wait=9999', 30],
    ['await=10', null],
    ['wait=-1', null],
    ['wait=1e9', null],
  ])('%j is %j seconds', (header, seconds) => {
    expect(readWait(header)).toBe(seconds);
  });
});
