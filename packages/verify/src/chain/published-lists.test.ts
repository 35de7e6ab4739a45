import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TABLE_WHOLE_UNTIL } from '../tokens/token-table';
import tokens from '../tokens/tokens.json';
import type { DatedList } from './dated-list';
import { EXCHANGES } from './exchanges';
import { TIPS } from './tips';

/**
 * The contents of each list and table on each of its days, as a digest. Receipts and statements
 * were made by it, and the verifier always judges them by it. A line here is never edited: a later
 * entry gets a day, and that day a line.
 */
const PUBLISHED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tips: { '2026-11-29': 'accde156eace627bdf389ed76ab20684e4a797a4ef3ca531e91d3b0a11f7cac1' },
  exchanges: { '2026-11-29': '618076aa542d56a117dac4bb2a0f52d10af2512c28cdd2dccb84e84dfd95cc1d' },
  'tokens with a value, mainnet': {
    '2026-11-29': 'c0e923f47d439b0358325554bfda1bbb9e3257e2bb4f26e25f9d80326aaa803c',
  },
  'tokens with a value, devnet': {
    '2026-11-29': '15a9835b29cd4f23a8315e51fd70e6cc1bfc2b55c5fa67eec2734c925219a75a',
  },
};

/** The whole table of tokens, with those that have no value and with all codes, by its day. */
const WHOLE_TABLE: Readonly<Record<string, string>> = {
  '2026-11-30': 'c2369e61d37f60a9e2aeda2c9e0a15ea1ae369f6e704f9d09784f124901f6ff8',
};

const line = z
  .tuple([z.string().nullable(), z.string()])
  .rest(z.string().nullable())
  .transform(([mint, symbol, dtifCode = null, groupCode = null, value = null, since = null]) => ({
    words: [mint, symbol, dtifCode, groupCode, value].map((word) => word ?? '-').join(' '),
    isValued: value !== null,
    mint: mint ?? 'SOL',
    value,
    since,
  }));
const tables = { mainnet: tokens.mainnet, devnet: tokens.devnet };
const linesOf = (network: keyof typeof tables) => z.array(line).parse(tables[network]);

/** The contents of a list on each of its days, first to last. */
type Days = Map<string, string[]>;

function daysOfList(list: DatedList): Days {
  const days = [list.since, ...list.days()].map((day) => day.toISOString().slice(0, 10));
  const heldOn = (day: string) => list.addresses().filter((one) => list.has(one, new Date(day)));
  return new Map([...new Set(days)].sort().map((day) => [day, heldOn(day)]));
}

function daysOfTable(network: keyof typeof tables): Days {
  const valued = linesOf(network).filter(({ isValued }) => isValued);
  const days = [tokens.since, ...valued.flatMap(({ since }) => since ?? [])];
  const heldOn = (day: string) =>
    valued
      .filter(({ since }) => since === null || since <= day)
      .map(({ mint, value }) => `${mint} ${value ?? ''}`);
  return new Map([...new Set(days)].sort().map((day) => [day, heldOn(day)]));
}

const digestOf = (lines: readonly string[]): string =>
  createHash('sha256')
    .update([...lines].sort().join('\n'))
    .digest('hex');

test.each<[string, Days]>([
  ['tips', daysOfList(TIPS)],
  ['exchanges', daysOfList(EXCHANGES)],
  ['tokens with a value, mainnet', daysOfTable('mainnet')],
  ['tokens with a value, devnet', daysOfTable('devnet')],
])('no published entry of %s changed, and each later day is on record', (name, days) => {
  const published = PUBLISHED[name] ?? {};
  const now = Object.fromEntries([...days].map(([day, lines]) => [day, digestOf(lines)]));
  for (const [day, digest] of Object.entries(published))
    expect(
      now[day],
      `${name}: what counts from ${day} on changed. Documents were made by it. Put the entries back as they were, and ` +
        `add what is new with a day some weeks after the release: [address, 'YYYY-MM-DD'].`,
    ).toBe(digest);
  expect(
    now,
    `${name}: there are entries of a later day. Add the day with its digest to PUBLISHED in this file.`,
  ).toEqual(published);
});

test('the whole table of tokens is unchanged since its day', () => {
  const day = TABLE_WHOLE_UNTIL.toISOString().slice(0, 10);
  const lines = [...linesOf('mainnet'), ...linesOf('devnet')];
  expect(
    digestOf(lines.map(({ words, since }) => `${words} ${since ?? '-'}`)),
    `tokens.json changed. A token or a code that was missing may be added. A mint, a symbol, a code and a value that stood ` +
      `there stay: documents name them. Then move TABLE_WHOLE_UNTIL to the day of the release, and add the digest of that ` +
      `day to WHOLE_TABLE in this file.`,
  ).toBe(WHOLE_TABLE[day]);
});
