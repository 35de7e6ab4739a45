import { expect, it } from 'vitest';
import type { StatementItem } from '@quittance/verify/statements/statement-rows';
import { placeRows, sortRows } from './leg-places';

const row = (tx_signature: string, leg: number, usd: string): StatementItem => ({
  tx_signature,
  leg,
  block_time: '2026-01-31T12:00:00.000Z',
  slot: 7,
  role: 'payer',
  counterparty: 'shop',
  token: 'USDC',
  mint: null,
  dtif_code: null,
  decimals: 6,
  amount: 1,
  amount_raw: usd,
  usd_amount: 1,
  usd_amount_raw: usd,
  valuation: 'par',
  receipt_id: null,
});
// In the order of the statement: `z` comes before `a` in its block.
const rows = [row('z', 0, '8500000'), row('z', 1, '1500000'), row('a', 0, '9000000')];

it('numbers the rows of one transaction, and no row that is alone', () => {
  expect(placeRows(rows).map(({ part, parts }) => [part, parts])).toEqual([
    ...[
      [1, 2],
      [2, 2],
    ],
    [1, 1],
  ]);
});

const sorted = (list: readonly StatementItem[], key: string, descending = false) =>
  sortRows(placeRows(list), { key, descending }).map((one) => `${one.tx_signature}${one.leg}`);

it('keeps the order of the chain within a slot, whatever the signatures are', () => {
  expect(sorted(rows, 'time')).toEqual(['z0', 'z1', 'a0']);
});

it('keeps the rows of a transaction in their order when the list is newest first', () => {
  expect(sorted(rows, 'time', true)).toEqual(['a0', 'z0', 'z1']);
});

it('sorts by dollars without a float', () => {
  const large = [row('a', 0, '9007199254740993'), row('b', 0, '9007199254740992')];
  expect(sorted(large, 'usd')).toEqual(['b0', 'a0']);
  expect(sorted(large, 'usd', true)).toEqual(['a0', 'b0']);
});
