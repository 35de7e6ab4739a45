import { createHash } from 'node:crypto';

/** Statements that are named at most, by a process: each connection keeps the plan of every one. */
const MOST_NAMES = 250;
/** A statement is named when it was seen so often: many are made for one request and never come again. */
const NAMED_FROM = 5;
/** How a search is best answered depends on the words: these are planned anew each time. */
const PLANNED_EACH_TIME = 'words_query';
/** Statements whose sightings are counted at most. */
const MOST_COUNTED = 2_000;

/**
 * Names for the statements that come again and again, so that PostgreSQL parses and plans each of them once
 * a connection; the empty name, which keeps nothing, for all others.
 */
export function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new Map<string, number>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    const times = (seen.get(sql) ?? 0) + 1;
    const isNamed =
      times >= NAMED_FROM && names.size < MOST_NAMES && !sql.includes(PLANNED_EACH_TIME);
    if (!isNamed) {
      if (seen.size >= MOST_COUNTED) seen.clear();
      seen.set(sql, times);
      return '';
    }
    seen.delete(sql);
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
    names.set(sql, name);
    return name;
  };
}
