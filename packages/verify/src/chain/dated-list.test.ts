import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readDatedList } from './dated-list';

const since = '2027-01-01';
const list = readDatedList({
  since,
  entries: ['first', ['later', '2027-03-01'], ['last', '2027-05-01']],
});
const [march, may] = [new Date('2027-03-01T00:00:00Z'), new Date('2027-05-01T00:00:00Z')];

describe('a list that grows', () => {
  it('has its later entries from the first instant of their day, and all of them today', () => {
    const before = new Date(march.getTime() - 1);
    expect(['first', 'later', 'last'].map((one) => list.has(one, before))).toEqual([
      true,
      false,
      false,
    ]);
    expect(['first', 'later', 'last'].map((one) => list.has(one, march))).toEqual([
      true,
      true,
      false,
    ]);
    expect(list.addresses().every((one) => list.has(one))).toBe(true);
    // No document is older than the list, so an earlier date is judged by its first entries.
    expect(list.since).toEqual(new Date('2027-01-01T00:00:00Z'));
    expect(list.has('first', new Date('2020-01-01T00:00:00Z'))).toBe(true);
    expect(list.has('none')).toBe(false);
  });

  it('returns the days of all its later entries, or of some', () => {
    expect(list.days()).toEqual([march, may]);
    expect(list.days(new Set(['first', 'last', 'none']))).toEqual([may]);
  });

  it('with an invalid day stops the start', () => {
    expect(() => readDatedList({ since: '2027-02-30', entries: [] })).toThrow(z.ZodError);
  });

  const later = '2027-03-01';
  it.each<[string, Parameters<typeof readDatedList>[0]['entries']]>([
    ['a day that is none', [['later', '2027-02-30']]],
    ['a day that is not later than the list', [['later', since]]],
    ['one address twice', ['later', ['later', later]]],
  ])('with %s stops the start', (_, entries) => {
    expect(() => readDatedList({ since, entries })).toThrow(z.ZodError);
  });
});
