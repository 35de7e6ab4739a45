import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readDatedList } from './dated-list';

const list = readDatedList(['first', ['later', '2027-03-01'], ['last', '2027-05-01']]);
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
    expect(list.has('none')).toBe(false);
  });

  it('tells the days of all its later entries, or of some', () => {
    expect(list.days()).toEqual([march, may]);
    expect(list.days(new Set(['first', 'last', 'none']))).toEqual([may]);
  });

  it.each([
    ['a day that is none', [['later', '2027-02-30']]],
    ['two days', [['later', '2027-03-01', '2027-05-01']]],
    ['no day', [['later']]],
  ])('with %s stops the start', (_, wrong) => {
    expect(() => readDatedList(wrong)).toThrow(z.ZodError);
  });
});
