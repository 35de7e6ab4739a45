import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { migrate } from './migrate';

const MIGRATIONS = 'prisma/migrations';
const TYPES: Record<string, string[]> = {
  String: ['text'],
  Int: ['integer'],
  BigInt: ['bigint'],
  Boolean: ['boolean'],
  DateTime: ['timestamp with time zone', 'date'],
  Json: ['jsonb'],
  Bytes: ['bytea'],
};

let fresh: TestDatabase;
let upgraded: TestDatabase;

beforeAll(async () => {
  fresh = await createTestDatabase({ empty: true });
  upgraded = await createTestDatabase({ empty: true });
  await migrate({ databaseUrl: fresh.url, dir: MIGRATIONS });
  const previous = mkdtempSync(join(tmpdir(), 'quittance-migrations-'));
  for (const name of readdirSync(MIGRATIONS).sort().slice(0, -1))
    cpSync(join(MIGRATIONS, name), join(previous, name), { recursive: true });
  await migrate({ databaseUrl: upgraded.url, dir: previous });
  rmSync(previous, { recursive: true });
  await migrate({ databaseUrl: upgraded.url, dir: MIGRATIONS });
});
afterAll(() => Promise.all([fresh.close(), upgraded.close()]));

async function query<T extends object>(database: TestDatabase, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<T>(sql);
  await client.end();
  return rows;
}

type Column = { table: string; column: string; type: string; nullable: boolean };
const columns = (database: TestDatabase) =>
  query<Column>(
    database,
    `select table_name as table, column_name as column, data_type as type, is_nullable = 'YES' as nullable
       from information_schema.columns
      where table_schema = 'public' and table_name <> '_prisma_migrations' order by 1, 2`,
  );
const indexes = (database: TestDatabase) =>
  query<{ name: string; sql: string }>(
    database,
    `select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public' order by 1`,
  );
const constraints = (database: TestDatabase) =>
  query<{ name: string; sql: string }>(
    database,
    `select conname as name, pg_get_constraintdef(oid) as sql from pg_constraint
      where connamespace = 'public'::regnamespace order by 1`,
  );

type Model = { name: string; table: string; fields: (Column & { field: string })[] };

/** All files of the schema, one for each module. */
function schemaText(): string {
  const files = readdirSync('prisma/schema').sort();
  return files.map((file) => readFileSync(`prisma/schema/${file}`, 'utf8')).join('\n');
}

type Enum = { name: string; domain: string; values: string[] };

/** The enums of the schema, with the name of each in the database. */
function readEnums(): Enum[] {
  return [...schemaText().matchAll(/^enum (\w+) \{\n([\s\S]*?)^\}/gm)].map(
    ([, name = '', body = '']) => ({
      name,
      domain: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
      values: [...body.matchAll(/^ {2}(\w+)$/gm)].map(([, value = '']) => value),
    }),
  );
}
const enums = readEnums();

/** Database types that can hold a field. Enums are text with a check. */
const typesOf = (type: string) => (type.endsWith('[]') ? ['ARRAY'] : (TYPES[type] ?? ['text']));

/** The models of the schema with their columns, without relations. */
function readSchema(): Model[] {
  const text = schemaText();
  return [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name;
    const fields = [...body.matchAll(/^ {2}(\w+) +(\w+(?:\[\])?)(\??)(.*)$/gm)].flatMap(
      ([, field = '', type = '', optional = '', rest = '']) =>
        type.replace('[]', '') in TYPES || enums.some(({ name: one }) => one === type)
          ? [{ field, table, type, nullable: optional === '?', column: mapped(rest) ?? field }]
          : [],
    );
    return { name, table, fields };
  });
}
const mapped = (rest: string) => /@map\("(\w+)"\)/.exec(rest)?.[1];
const models = readSchema();

describe('the migrated database', () => {
  it('has the columns of the schema and no others, with their types', async () => {
    const found = await columns(fresh);
    const expected = models.flatMap((model) => model.fields);
    expect(expected.length).toBeGreaterThan(150);
    expect(found.map((c) => `${c.table}.${c.column}`)).toEqual(
      expected.map((c) => `${c.table}.${c.column}`).sort(compareDotted),
    );
    for (const want of expected) {
      const got = found.find((c) => c.table === want.table && c.column === want.column);
      expect(typesOf(want.type), `${want.table}.${want.column}`).toContain(got?.type);
      expect(got?.nullable, `${want.table}.${want.column} null`).toBe(want.nullable);
    }
  });

  it.each(models.map((model) => [model.name, model] as const))(
    'reads every column of %s through the client',
    async (name, model) => {
      const delegate = Reflect.get(fresh.prisma, name.charAt(0).toLowerCase() + name.slice(1)) as {
        findMany(o: object): Promise<unknown[]>;
      };
      const select = Object.fromEntries(model.fields.map(({ field }) => [field, true]));
      expect(await delegate.findMany({ select })).toEqual([]);
    },
  );

  it('has an index for each one in the schema', async () => {
    const found = await indexes(fresh);
    const text = schemaText();
    for (const model of models) {
      const body = new RegExp(`^model ${model.name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text)?.[1];
      for (const [, list = ''] of (body ?? '').matchAll(/@@(?:index|unique|id)\(\[(.*?)\]/g)) {
        const wanted = list
          .split(',')
          .map((part) => model.fields.find((f) => f.field === part.trim())?.column)
          .join(', ');
        const hit = found.some(
          ({ sql }) =>
            sql.includes(` ON public.${model.table} `) &&
            sql.replaceAll('"', '').endsWith(`(${wanted})`),
        );
        expect(hit, `index on ${model.table} (${wanted})`).toBe(true);
      }
    }
  });

  it('accepts only the values of an enum in its columns, stored as text that any release can compare', async () => {
    const checks = await query<{ table: string; sql: string }>(
      fresh,
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as sql
         from pg_constraint where contype = 'c' and convalidated`,
    );
    const domains = await query<{ name: string; base: string; rules: number }>(
      fresh,
      `select typname as name, typbasetype::regtype::text as base,
              (select count(*)::int from pg_constraint where contypid = t.oid) as rules
         from pg_type t where typtype = 'd' and typnamespace = 'public'::regnamespace`,
    );
    expect(enums.length).toBeGreaterThan(10);
    for (const { name, domain, values } of enums) {
      // A rule in the domain itself would keep the planner from using partial indexes.
      expect(domains).toContainEqual({ name: domain, base: 'text', rules: 0 });
      const held = models.flatMap((model) => model.fields.filter(({ type }) => type === name));
      expect(held.length, name).toBeGreaterThan(0);
      for (const { table, column } of held) {
        const valuesOf = (sql: string) =>
          [...sql.matchAll(/'(\w+)'::text/g)].map(([, value]) => value).sort();
        const fitting = checks.filter(
          (one) =>
            one.table === table &&
            one.sql.includes(`(${column} = ANY`) &&
            `${valuesOf(one.sql)}` === `${[...values].sort()}`,
        );
        expect(fitting, `${table}.${column}`).not.toEqual([]);
      }
    }
    expect(domains).toHaveLength(enums.length);
  });

  it('enforces the rules that only SQL can', async () => {
    const named = new Map((await indexes(fresh)).map(({ name, sql }) => [name, sql]));
    const partial = [
      ['receipts_live_tx_signature_key', /UNIQUE .*\(tx_signature\) WHERE \(released_at IS NULL\)/],
      ['mint_attempts_live_key', /UNIQUE .*\(mint_id\) WHERE .*outcome IS NULL.*landed/],
      ['mint_attempts_signature_key', /UNIQUE .*\(signature\)/],
      ['payments_signature_key', /UNIQUE .*\(signature\)/],
      ['payments_message_hash_key', /UNIQUE .*\(message_hash\)/],
      ['mints_redrive_at_idx', /\(redrive_at\) WHERE/],
    ] as const;
    for (const [name, sql] of partial) expect(named.get(name), name).toMatch(sql);
    expect((await constraints(fresh)).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'receipts_amounts_check',
        'receipts_reported_by_check',
        'mints_status_check',
        'mints_kind_check',
        'mint_attempts_outcome_check',
        'payments_state_check',
        'mint_attempts_mint_id_fkey',
        'statement_rows_statement_id_fkey',
      ]),
    );
  });

  it('is the same when it comes from the previous release', async () => {
    expect(await columns(upgraded)).toEqual(await columns(fresh));
    expect(await indexes(upgraded)).toEqual(await indexes(fresh));
    expect(await constraints(upgraded)).toEqual(await constraints(fresh));
  });
});

function compareDotted(a: string, b: string): number {
  const [[tableA = '', columnA = ''], [tableB = '', columnB = '']] = [a.split('.'), b.split('.')];
  return tableA === tableB ? (columnA < columnB ? -1 : 1) : tableA < tableB ? -1 : 1;
}
