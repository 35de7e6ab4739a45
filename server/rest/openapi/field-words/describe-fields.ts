import { ADMIN_WORDS } from './admin-words';
import { MONEY_WORDS } from './money-words';
import { STATEMENT_WORDS } from './statement-words';
import { TRANSFER_WORDS } from './transfer-words';

/**
 * The meaning of each field of bodies and answers, by its name: a name means the same wherever it stands. Where it does
 * not, the key is the end of its place (`trees[].address`), or the schema itself has a description, which comes first.
 */
export const FIELD_WORDS: Readonly<Record<string, string>> = {
  ...TRANSFER_WORDS,
  ...STATEMENT_WORDS,
  ...MONEY_WORDS,
  ...ADMIN_WORDS,
};

type Json = Record<string, unknown>;

/** A JSON schema with a description for each of its fields that FIELD_WORDS has words for. */
export function describeFields(schema: Json, place = ''): Json {
  return mapEntries(schema, (key, value) => {
    if (key === 'properties' && isJson(value))
      return mapEntries(value, (name, field) => describeField(field, `${place}${name}`));
    if (key === 'items' && isJson(value)) return describeFields(value, `${place.slice(0, -1)}[].`);
    if (key === 'additionalProperties' && isJson(value))
      return describeFields(value, `${place}{key}.`);
    if (['anyOf', 'oneOf', 'allOf'].includes(key) && Array.isArray(value))
      return value.map((one) => (isJson(one) ? describeFields(one, place) : one));
    return value;
  });
}

function describeField(field: unknown, place: string): unknown {
  if (!isJson(field)) return field;
  const words = wordsFor(place);
  const described = describeFields(field, `${place}.`);
  // The description of the schema itself comes last, so it wins.
  return words === undefined ? described : { description: words, ...described };
}

/** By the longest end of the place that has words: `a.b[].c`, then `b[].c`, then `c`. */
function wordsFor(place: string): string | undefined {
  const parts = place.split('.');
  const ends = parts.map((_, at) => parts.slice(at).join('.'));
  const key = ends.find((end) => Object.hasOwn(FIELD_WORDS, end));
  return key === undefined ? undefined : FIELD_WORDS[key];
}

function mapEntries(json: Json, change: (key: string, value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, change(key, value)]));
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
