import { expect, it } from 'vitest';
import { dateText, localText, utcText } from './dates';

const TIME = '2026-11-29T20:07:05.000Z';

it.each([
  ['en', '29 Nov 2026, 20:07 UTC'],
  ['en-US', '29 Nov 2026, 20:07 UTC'],
  ['de', '29. Nov. 2026, 20:07 UTC'],
  ['es', '29 nov 2026, 20:07 UTC'],
  ['ja', '2026年11月29日 20:07 UTC'],
])('in %s a UTC time is %s, in any zone of the machine', (locale, text) => {
  expect(utcText(TIME, locale)).toBe(text);
});

it('writes seconds on request', () => {
  expect(utcText(TIME, 'de', 'second')).toBe('29. Nov. 2026, 20:07:05 UTC');
});

it.each([
  ['en', '29 Nov 2026', '29 Nov', 'Nov 2026'],
  ['de', '29. Nov. 2026', '29. Nov.', 'Nov. 2026'],
  ['es', '29 nov 2026', '29 nov', 'nov 2026'],
  ['ja', '2026年11月29日', '11月29日', '2026年11月'],
])('in %s days and months are those of UTC', (locale, day, dayOfYear, month) => {
  // In the zone of this test the next day has begun.
  expect([
    dateText(TIME, locale, 'day'),
    dateText('2026-11-29', locale, 'dayOfYear'),
    dateText('2026-11', locale, 'month'),
  ]).toEqual([day, dayOfYear, month]);
});

it('returns anything that is not a time unchanged', () => {
  expect(dateText('soon', 'en', 'day')).toBe('soon');
});

it("names the reader's zone, where it may be another day", () => {
  expect(localText(TIME, 'de')).toMatch(/^30\. November 2026 um 01:52 GMT\+5:45$/);
});
