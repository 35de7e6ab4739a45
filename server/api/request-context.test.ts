import { describe, expect, it } from 'vitest';
import { readWait } from './request-context';

describe('Prefer: wait', () => {
  it.each([
    [null, 0],
    ['', 0],
    ['wait=10', 10],
    ['respond-async, wait=5', 5],
    ['wait="7"; foo=bar', 7],
    ['wait=9999', 30],
    ['await=10', 0],
    ['wait=-1', 0],
    ['wait=1e9', 0],
  ])('%j is %i seconds', (header, seconds) => {
    expect(readWait(header)).toBe(seconds);
  });
});
