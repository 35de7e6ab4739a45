import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXCHANGES } from '../chain/exchanges';
import { TIPS } from '../chain/tips';
import { byEitherTable, tablesOf } from './by-either-table';
import type { Outcome } from './check-line';

const ISSUED = new Date('2027-02-01T12:00:00Z');
const [MARCH, MAY] = [new Date('2027-03-01T00:00:00Z'), new Date('2027-05-01T00:00:00Z')];
/** A day after the first of March: the longest that a file waits for its mint. */
const WAITED = new Date('2027-03-02T00:00:00Z');
const justBefore = (time: Date) => new Date(time.getTime() - 1);

beforeEach(() => {
  vi.spyOn(TIPS, 'days').mockReturnValue([MAY, new Date('2026-12-01T00:00:00Z')]);
  vi.spyOn(EXCHANGES, 'days').mockReturnValue([MARCH, MAY]);
});
afterEach(() => vi.restoreAllMocks());

const tables = (mintedAt: Date | null) =>
  tablesOf('mainnet', { issuedAt: ISSUED, mintedAt }).map(({ tableOf, isBorneOut }) => [
    tableOf,
    isBorneOut,
  ]);

test('a document may be made by the tables of its time of issue and by every later one', () => {
  expect(tables(ISSUED)).toEqual([
    [ISSUED, true],
    [MARCH, true],
    [undefined, true],
  ]);
  expect(tablesOf('mainnet', { issuedAt: MAY, mintedAt: MAY })).toHaveLength(1);
});

test('the mint does not confirm tables that were out of use a day before it', () => {
  const [sure, doubtful] = [true, false];
  expect(tables(justBefore(WAITED)).map(([, is]) => is)).toEqual([sure, sure, sure]);
  expect(tables(WAITED).map(([, is]) => is)).toEqual([doubtful, sure, sure]);
  expect(tables(new Date('2027-06-01T00:00:00Z')).map(([, is]) => is)).toEqual([
    doubtful,
    doubtful,
    sure,
  ]);
  expect(tables(null).map(([, is]) => is)).toEqual([doubtful, doubtful, sure]);
});

/** The outcome of a line that ends so by the tables of the time of issue, of March, and of today. */
function judge(ends: readonly [Outcome, Outcome, Outcome], mintedAt: Date | null) {
  const [then, march, today] = ends;
  const [line] = byEitherTable({ network: 'mainnet', issuedAt: ISSUED, mintedAt }, (tableOf) => {
    const late = tableOf === undefined ? today : march;
    return [{ id: '', title: '', outcome: tableOf === ISSUED ? then : late, detail: '' }];
  });
  return line?.outcome;
}

test('a line holds by any table that the mint confirms', () => {
  expect(judge(['held', 'failed', 'failed'], ISSUED)).toBe('held');
  expect(judge(['failed', 'held', 'failed'], ISSUED)).toBe('held');
  expect(judge(['unknown', 'failed', 'held'], ISSUED)).toBe('held');
  expect(judge(['failed', 'unknown', 'failed'], ISSUED)).toBe('unknown');
  expect(judge(['failed', 'failed', 'failed'], ISSUED)).toBe('failed');
});

test('by another table it could not be checked', () => {
  expect(judge(['held', 'failed', 'failed'], WAITED)).toBe('unknown');
  expect(judge(['held', 'held', 'failed'], WAITED)).toBe('held');
  expect(judge(['held', 'held', 'failed'], null)).toBe('unknown');
  expect(judge(['failed', 'failed', 'failed'], null)).toBe('failed');
});
