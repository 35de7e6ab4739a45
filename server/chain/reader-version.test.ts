import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { DatedList } from '@quittance/verify/chain/dated-list';
import { EXCHANGES } from '@quittance/verify/chain/exchanges';
import * as programs from '@quittance/verify/chain/programs';
import { TIPS } from '@quittance/verify/chain/tips';
import { READER_VERSION } from './stored-reading';

/**
 * Digest of the data that a reader uses, by the number of the reader. The readings of an older
 * reader are read again only if the number is raised.
 */
const READ_BY: Readonly<Record<number, string>> = {
  3: 'ea07743974218fd1f90aee2cc672de7319dc5de31891e60b493df4702cf2843f',
};

/** Addresses of a list, with the day of each that has one. */
function entriesOf(list: DatedList): string[] {
  return list
    .addresses()
    .map((address) => {
      const days = list.days(new Set([address])).map((day) => day.toISOString());
      return [address, ...days].join(' ');
    })
    .sort();
}

/** All figures and ids of a module, and what its functions of one size give. */
function figuresOf(module: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(module)
    .map(([name, value]) => `${name} ${inText(value)}`)
    .sort();
}

function inText(value: unknown): string {
  const plain = value instanceof Set ? [...value] : value;
  return typeof plain === 'function'
    ? 'a function'
    : JSON.stringify(plain, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
}

const rents = [0n, 165n, 10_240n].map((bytes) => [
  programs.rentLamports(bytes),
  programs.growthLamports(bytes),
  programs.isExactRent(programs.rentLamports(bytes) + 10n),
  programs.isExactRent(programs.rentLamports(bytes) + 11n),
]);

test('the number of the reader is raised whenever the data that it reads by changes', () => {
  const data = [
    ...entriesOf(TIPS),
    ...entriesOf(EXCHANGES),
    ...figuresOf(programs),
    ...rents.map(String),
  ];
  expect(
    createHash('sha256').update(data.join('\n')).digest('hex'),
    `Tip accounts, exchanges or figures of programs.ts changed, so that the same transaction is read differently. Raise ` +
      `READER_VERSION in server/chain/stored-reading.ts, and add its digest to READ_BY in this file. Do not edit the ` +
      `digest of an older number: what that reader stored would then count as read by the new data.`,
  ).toBe(READ_BY[READER_VERSION]);
});
