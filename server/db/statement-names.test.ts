import { expect, it } from 'vitest';
import { nameStatements } from './client';

it('names a statement once it has come again and again, and always the same', () => {
  const name = nameStatements();
  const names = Array.from({ length: 8 }, () => name({ sql: 'select 1' }));
  expect(names.slice(0, 4)).toEqual(['', '', '', '']);
  expect(new Set(names.slice(4)).size).toBe(1);
  // PostgreSQL cuts longer names off.
  expect(names.at(-1)).toMatch(/^[\w-]{10,63}$/);
  expect(nameStatements()({ sql: 'select 1' })).toBe('');
});

it('keeps no more than a connection should remember, however many statements there are', () => {
  const name = nameStatements();
  const named = new Set<string>();
  for (let i = 0; i < 1_000; i += 1)
    for (let times = 0; times < 6; times += 1) named.add(name({ sql: `select ${i}` }));
  named.delete('');
  expect(named.size).toBe(250);
});

it('leaves a search to be planned by its words', () => {
  const name = nameStatements();
  const sql = 'select 1 where a @@ words_query($1)';
  expect(new Set(Array.from({ length: 9 }, () => name({ sql })))).toEqual(new Set(['']));
});
