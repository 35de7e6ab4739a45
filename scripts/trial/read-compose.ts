import { parse } from 'yaml';
import { z } from 'zod';

const service = z.object({
  image: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))])
    .optional(),
  stop_grace_period: z.string().optional(),
});
const file = z.object({
  services: z.record(z.string(), service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

export type ComposeFile = z.infer<typeof file>;

/** compose.yaml as plain data: anchors are resolved and merged, variables are not yet replaced. */
export function parseCompose(text: string): unknown {
  return parse(text, { merge: true });
}

/**
 * compose.yaml with its variables replaced. `${NAME:?}` without a value is an error, like in
 * compose. Values are inserted after the file was parsed, so that no character of a password has a
 * special meaning.
 */
export function readCompose(
  text: string,
  variables: Readonly<Record<string, string>>,
): ComposeFile {
  return file.parse(replaceIn(parseCompose(text), variables));
}

function replaceIn(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{([A-Z_]+)(:\?)?\}/g, (_, name: string, needed?: string) => {
      const found = variables[name] ?? '';
      if (found === '' && needed !== undefined)
        throw new Error(`compose.yaml needs ${name}, which is not set`);
      return found;
    });
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, variables));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, replaceIn(item, variables)]),
    );
  return value;
}
