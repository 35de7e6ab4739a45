import { expect, it } from 'vitest';
import { z } from 'zod';
import { listFields } from './list-fields';

const schema = z.object({
  success: z.literal(true),
  state: z.enum(['open', 'shut']).describe('How it is.'),
  label: z.string().nullable(),
  at: z.iso.datetime().optional(),
  rows: z.array(z.object({ token: z.string(), amount: z.number() })),
  tags: z.array(z.string()),
  sums: z.record(z.string(), z.object({ count: z.number().int() })),
});

it('lists each field of a body with its place, type and meaning', () => {
  const rows = listFields(z.toJSONSchema(schema)).map(({ name, type, required, description }) =>
    [name, type, required ? 'required' : '', description].join(' | '),
  );
  expect(rows).toEqual([
    'success | true | required | ',
    'state | "open", "shut" | required | How it is.',
    'label | string or null | required | ',
    'at | time |  | ',
    'rows | list of object | required | ',
    'rows[].token | string | required | ',
    'rows[].amount | number | required | ',
    'tags | list of string | required | ',
    'sums | object | required | ',
    'sums.{key}.count | integer | required | ',
  ]);
});

it('lists nothing for a body without fields', () => {
  expect([listFields(z.toJSONSchema(z.string())), listFields(undefined)]).toEqual([[], []]);
});
