import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../operations/operations';
import { openapiDocument } from '../openapi-document';
import { describeFields, FIELD_WORDS } from './describe-fields';

const operator = { name: 'x', contact: 'a@b.test', contactUri: 'mailto:a@b.test' };
const document = openapiDocument(
  { publicUrl: 'https://quittance.test', network: 'mainnet', operator },
  OPERATIONS,
);

/** Every field in a part of the document, as `place: description`; parts of other parts included. */
function fieldsOf(part: unknown, place: string): [place: string, words: unknown][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    const inside = fieldsOf(value, `${place}/${key}`);
    const isFields = key === 'properties' && typeof value === 'object' && value !== null;
    if (!isFields) return inside;
    const own = Object.entries(value).map(([name, field]): [string, unknown] => [
      `${place}/${name}`,
      typeof field === 'object' && field !== null && 'description' in field
        ? field.description
        : undefined,
    ]);
    return [...own, ...inside];
  });
}

const PARTS = { paths: document['paths'], components: document['components'] };
// `code` again beside a $ref narrows the codes of an operation; its words are at the $ref.
const fields = fieldsOf(PARTS, '').filter(([place]) => !/\/allOf\/1\/code$/.test(place));

describe('the description of the interface', () => {
  it('has many fields, and the paths below are among them', () => {
    expect(fields.length).toBeGreaterThan(700);
    expect(fields.map(([place]) => place)).toContain(
      '/paths//mint/post/requestBody/content/application/json/schema/tx_signature',
    );
  });

  it('gives the meaning of every field of every body and answer', () => {
    const without = fields.filter(([, words]) => typeof words !== 'string' || words === '');
    expect(without.map(([place]) => place)).toEqual([]);
  });

  it('uses every meaning', () => {
    const used = new Set(fields.map(([, words]) => words));
    expect(Object.entries(FIELD_WORDS).filter(([, words]) => !used.has(words))).toEqual([]);
  });
});

describe('the meaning of a field', () => {
  const object = (properties: object) => ({ type: 'object', properties });

  it('is that of the longest end of its place', () => {
    const schema = object({ refunds: { type: 'array', items: object({ signature: {} }) } });
    expect(JSON.stringify(describeFields(schema))).toContain(FIELD_WORDS['refunds[].signature']);
  });

  it('is that of its schema where that has one', () => {
    const own = { type: 'string', description: 'Its own.' };
    expect(describeFields(object({ token: own }))).toEqual(object({ token: own }));
  });

  it('is found behind choices and in records', () => {
    const record = { type: 'object', additionalProperties: object({ as_payer: {} }) };
    const schema = { anyOf: [{ type: 'null' }, object({ by_role: record })] };
    expect(JSON.stringify(describeFields(schema))).toContain(FIELD_WORDS['as_payer']);
  });
});
