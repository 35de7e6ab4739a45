import { refuse } from '@quittance/verify/chain/transfer';
import { expect, test } from 'vitest';
import { partOf } from './check-now';

const read = (...codes: Parameters<typeof refuse>[0][]) =>
  new Map(codes.map((code, at) => [`payment ${at}`, refuse(code, '')]));
const TWO = read('several_sellers', 'several_sellers');
const LINES = [
  { id: 'tree_signed', outcome: 'held' },
  { id: 'rows_on_chain', outcome: 'unknown' },
] as const;

test('a statement with more payments than are looked up says how many were', () => {
  expect(partOf(TWO, 3, LINES)).toEqual({ checked: 2, of: 3 });
  expect(partOf(TWO, 2, LINES)).toBeNull();
});

test('a check that something gave no answer to is not ended by the number of payments', () => {
  expect(partOf(read('several_sellers', 'transaction_not_found'), 3, LINES)).toBeNull();
  expect(partOf(TWO, 3, [...LINES, { id: 'storage_metadata', outcome: 'unknown' }])).toBeNull();
});
