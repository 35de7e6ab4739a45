import { CONCURRENT } from './split-concurrent';

/** Tables that grow with every receipt or payment: a lock on one of these is an outage. */
const BIG = [
  ...['receipts', 'mints', 'mint_attempts', 'stored_items', 'payments', 'quotes', 'audit_log'],
  ...['read_transfers', 'ledger_entries', 'payer_jurisdictions', 'statement_rows', 'free_mints'],
  ...['transaction_prices', 'auto_transfers'],
];

const ADDS_RULE = /^alter table .*\badd constraint\b.*\b(check|foreign key)\b/;

/**
 * The faults of a statement, judged together with the other statements of its migration if needed.
 */
type Rule = { breaks: (statement: string, all: readonly string[]) => boolean; why: string };

/** Changes that break the previous release's code, or block it during the migration. */
const RULES: Rule[] = [
  {
    breaks: (text) => /^drop (table|view|schema|type)\b/.test(text),
    why: 'drops an object that the previous release still reads; drop it one release later, with "-- contract:"',
  },
  {
    breaks: (text) => /^alter table .*\bdrop (column )?(?!constraint|default|not null)/.test(text),
    why: 'drops a column that the previous release still reads; drop it one release later, with "-- contract:"',
  },
  {
    breaks: (text) => /^alter (table|view|type)\b.*\brename\b/.test(text),
    why: 'renames an object that the previous release uses; add the new name, and drop the old one a release later',
  },
  {
    breaks: (text) => /^alter table .*\b(set data )?type\b/.test(text) && !/\badd\b/.test(text),
    why: 'changes a type, which rewrites the table and breaks the previous release; add a column instead',
  },
  {
    breaks: (text) => /\bset not null\b/.test(text),
    why: 'the previous release writes rows without it; require it one release later, with "-- contract:"',
  },
  {
    breaks: (text) =>
      /^alter table .*\badd (column )?(if not exists )?(?!constraint)/.test(text) &&
      text
        .split(/\badd (?:column )?(?!constraint)/)
        .slice(1)
        .some((part) => /\bnot null\b/.test(part) && !/\bdefault\b/.test(part)),
    why: 'adds a required column, which the previous release does not write; give it a default',
  },
  {
    breaks: (text) => /^alter table .*\bdrop default\b/.test(text),
    why: 'removes a default that rows of the previous release need; drop it one release later, with "-- contract:"',
  },
  {
    breaks: (text) => /^create (unique )?index (?!concurrently)/.test(text) && isOnBig(text),
    why: `blocks writes to a big table; put it into a migration that begins with "${CONCURRENT}"`,
  },
  {
    breaks: (text) =>
      ADDS_RULE.test(text) && !/\bnot valid\b/.test(text) && BIG.includes(tableOf(text)),
    why: 'reads every row of a big table and blocks its writes; add it "not valid", and validate it in the next migration',
  },
  {
    breaks: (text, all) =>
      /\bvalidate constraint\b/.test(text) &&
      all.some((one) => ADDS_RULE.test(one) && tableOf(one) === tableOf(text)),
    why: 'the lock that adds a constraint lasts until the migration ends; validate it in the next one',
  },
  {
    breaks: (text) => /^drop index (?!concurrently)/.test(text),
    why: 'locks its table, and the previous release may need it; drop it one release later, with "-- contract:"',
  },
];

/**
 * Violations of the rule of docs/operation/upgrades.md, "Upgrades": the previous release's code
 * runs on the new schema, and no big table is locked. A statement below a comment `-- contract:
 * <why>` belongs to the second release.
 */
export function checkMigration(sql: string): string[] {
  const statements = splitStatements(sql);
  const all = statements.map(({ text }) => text);
  return statements.flatMap(({ text, isContract }) =>
    RULES.filter(({ breaks }) => !isContract && breaks(text, all)).map(
      ({ why }) => `${text}: ${why}`,
    ),
  );
}

/**
 * Statements in lower case on one line each, without comments. Bodies of functions count as one
 * word.
 */
function splitStatements(sql: string): { text: string; isContract: boolean }[] {
  const made = new Set<string>();
  return (
    sql
      .replaceAll(/\$\$[\s\S]*?\$\$/g, '$body$')
      // A semicolon in a comment ends no statement.
      .replaceAll(/--.*$/gm, (comment) => comment.replaceAll(';', ','))
      .split(';')
      .map((part) => ({
        text: part.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim().toLowerCase(),
        isContract: /^-- contract: \S/m.test(part),
      }))
      .filter(({ text }) => text !== '')
      .filter(({ text }) => {
        const table = /^create table (?:if not exists )?(?:"?public"?\.)?"?(\w+)/.exec(text)?.[1];
        if (table !== undefined) made.add(table);
        // A table that this migration makes is empty, and the previous release does not use it.
        return !made.has(tableOf(text) || indexedTable(text));
      })
  );
}

/**
 * Tables that a migration alters and did not create, in the order of their names. Validating old
 * rows is left out, because its lock blocks neither reads nor writes.
 */
export function alteredTables(sql: string): string[] {
  const altering = splitStatements(sql).filter(
    ({ text }) => !/^alter table \S+( \S+)? validate constraint \S+$/.test(text),
  );
  return [...new Set(altering.map(({ text }) => tableOf(text)))].filter((name) => name).sort();
}

function tableOf(text: string): string {
  const name = /^alter table (?:if exists )?(?:only )?(?:"?public"?\.)?"?(\w+)"?/;
  return name.exec(text)?.[1] ?? '';
}

function indexedTable(text: string): string {
  return /\bon (?:only )?(?:"?public"?\.)?"?(\w+)/.exec(text)?.[1] ?? '';
}

function isOnBig(text: string): boolean {
  return BIG.includes(indexedTable(text));
}
