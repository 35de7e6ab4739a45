import { z } from 'zod';

/** A zod schema as the document has it. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  // The document names its dialect once, so the parts need not.
  return Object.fromEntries(Object.entries(json).filter(([name]) => name !== '$schema'));
}
