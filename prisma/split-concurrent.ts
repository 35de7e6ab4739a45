/**
 * First line of a migration that runs without a transaction, because its indexes are built
 * concurrently.
 */
export const CONCURRENT = '-- without a transaction';
const STATEMENT =
  /^create (unique )?index concurrently ([a-z_][a-z0-9_]*)\s+on [a-z_][a-z0-9_]*\b[^;]*$/i;

type Build = { drop: string; create: string };

/**
 * The indexes of a migration that runs without a transaction. Each comes with the statement that
 * removes the rest of an interrupted build. Null for every other migration. Throws when the
 * migration has other statements, because only an index can be restarted safely.
 */
export function splitConcurrent(migration: { name: string; sql: string }): Build[] | null {
  const lines = migration.sql.split('\n');
  if (lines[0]?.trim() !== CONCURRENT) return null;
  const statements = lines
    .filter((line) => !line.trim().startsWith('--'))
    .join('\n')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  return statements.map((statement) => {
    const name = STATEMENT.exec(statement)?.[2];
    if (name === undefined)
      throw new Error(
        `Migration ${migration.name} runs without a transaction and may only hold "create index concurrently name on table": ${statement}`,
      );
    return { drop: `drop index concurrently if exists ${name}`, create: statement };
  });
}
