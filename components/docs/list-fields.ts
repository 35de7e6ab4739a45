/**
 * A field of a body: its path (`transaction.amount`, `rows[].token`), its type, and its meaning.
 */
export type FieldRow = { name: string; type: string; required: boolean; description: string };

type Json = Readonly<Record<string, unknown>>;

/** Deeper parts are named by their type, because a page of dotted paths is hard to read. */
const MOST_DEPTH = 4;

/**
 * The fields of a JSON schema, in its order. Fields inside of objects and lists have their whole
 * path.
 */
export function listFields(schema: unknown, prefix = '', depth = 0): FieldRow[] {
  const { one } = unwrap(schema);
  const properties = objectOf(one['properties']);
  const required = Array.isArray(one['required']) ? one['required'] : [];
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const part = unwrap(value);
    const row = {
      name,
      type: typeOf(value),
      required: required.includes(key),
      description: textOf(objectOf(value)['description']) || textOf(part.one['description']),
    };
    return [row, ...(depth < MOST_DEPTH ? insideOf(part.one, name, depth + 1) : [])];
  });
}

function insideOf(one: Json, name: string, depth: number): FieldRow[] {
  if (one['type'] === 'array') {
    const items = unwrap(one['items']).one;
    return items['properties'] === undefined ? [] : listFields(items, `${name}[].`, depth);
  }
  if (one['properties'] !== undefined) return listFields(one, `${name}.`, depth);
  const values = unwrap(one['additionalProperties']).one;
  return values['properties'] === undefined ? [] : listFields(values, `${name}.{key}.`, depth);
}

/** The schema without its `null` alternative. Of several objects, the first. */
function unwrap(schema: unknown): { one: Json; isNullable: boolean } {
  const given = objectOf(schema);
  const choices = [given['anyOf'], given['oneOf'], given['allOf']].find(Array.isArray);
  if (!choices) return { one: given, isNullable: false };
  const some = choices.map(objectOf).filter((choice) => choice['type'] !== 'null');
  return { one: some[0] ?? {}, isNullable: some.length < choices.length };
}

function typeOf(schema: unknown): string {
  const { one, isNullable } = unwrap(schema);
  return `${plainType(one)}${isNullable ? ' or null' : ''}`;
}

function plainType(one: Json): string {
  if (Array.isArray(one['enum']))
    return one['enum'].map((value) => JSON.stringify(value)).join(', ');
  if ('const' in one) return JSON.stringify(one['const']);
  if (Array.isArray(one['type'])) return one['type'].join(' or ');
  const type = textOf(one['type']) || 'any';
  if (type === 'array') return `list of ${typeOf(one['items'])}`;
  return one['format'] === 'date-time' ? 'time' : type;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
