import { readdirSync, readFileSync } from 'node:fs';

const SCHEMA = 'prisma/schema';
/**
 * Files that write the tables of base.prisma. They are no module, because all modules use them.
 */
const BASE = /^server\/(?:db\/)?[^/]+\.ts$/;
const SOURCE = /^(?:server|scripts|app|packages)\/.*\.tsx?$/;
const NO_SOURCE = /\.(?:test|fixture)\.tsx?$/;

const METHODS =
  'create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany';
const RAW =
  'insert\\s+into|merge\\s+into|delete\\s+from|truncate(?:\\s+table)?|update(?:\\s+only)?';

/** A table's name in the database, its name in the client, and the module of its schema file. */
type Table = { table: string; client: string; module: string };

/**
 * Each table is written only by the module that its schema file, `<module>[-<part>].prisma`, is
 * named for.
 */
export function checkWriters(files: string[]): string[] {
  const schema = readdirSync(SCHEMA).map((name) => ({
    name,
    text: readFileSync(`${SCHEMA}/${name}`, 'utf8'),
  }));
  const sources = files
    .filter((file) => SOURCE.test(file) && !NO_SOURCE.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  return compareWriters({ schema, sources });
}

/** The writes that are outside the module of their table. */
export function compareWriters(o: {
  schema: { name: string; text: string }[];
  sources: { file: string; text: string }[];
}): string[] {
  const tables = o.schema.flatMap(tablesOf);
  return o.sources.flatMap(({ file, text }) =>
    writesOf(text, tables).flatMap(({ line, write, table }) => {
      const at = `${file}:${line}`;
      if (table === null)
        return [`${at}: writes a table that the text does not name (${write}); write its name out`];
      if (isOwn(file, table.module)) return [];
      const home = table.module === 'base' ? 'server/db' : `server/${table.module}`;
      return [
        `${at}: writes ${table.table} (${write}), which belongs to ${home}; move the write into a function there that takes the open transaction`,
      ];
    }),
  );
}

function tablesOf({ name, text }: { name: string; text: string }): Table[] {
  return [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(
    ([, model = '', body = '']) => ({
      table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model,
      client: model.charAt(0).toLowerCase() + model.slice(1),
      module: name.replace(/[-.].*$/, ''),
    }),
  );
}

function isOwn(file: string, module: string): boolean {
  return module === 'base' ? BASE.test(file) : file.startsWith(`server/${module}/`);
}

type Write = { line: number; write: string; table: Table | null };

function writesOf(source: string, tables: readonly Table[]): Write[] {
  // Lines of comments stay, so that line numbers stay right. Their text does not count as a write.
  const text = source
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/^\s*\/\/.*$/gm, '');
  const clients = new Map(tables.map((one) => [one.client, one]));
  const names = new Map(tables.map((one) => [one.table, one]));
  const method = new RegExp(
    `\\.\\s*(${[...clients.keys()].join('|')})\\s*\\.(?:${METHODS})\\b`,
    'g',
  );
  const raw = new RegExp(
    `\\b(?:${RAW})\\s+(?:"?public"?\\.)?(?:"?(${[...names.keys()].join('|')})\\b|(\\$\\{))`,
    'gi',
  );
  const found = [
    ...[...text.matchAll(method)].map((match) => ({ match, table: clients.get(match[1] ?? '') })),
    ...[...text.matchAll(raw)].map((match) => ({ match, table: names.get(match[1] ?? '') })),
  ];
  return found.map(({ match, table }) => ({
    line: text.slice(0, match.index).split('\n').length,
    write: match[0].replaceAll(/\s+/g, ' '),
    table: table ?? null,
  }));
}
