import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ENV_NAMES, ENV_SCHEMA, parseEnv, SettingsError } from '@/server/env';
import type { Section } from './sections';

const PAGE = 'docs/settings.md';
const TITLE = /^# -{4} (.+?) -+$/;
const SETTING = /^(?:# ?)?([A-Z][A-Z0-9_]+)=/;
const REQUIRED = /^\(required\) /;

/** Settings that share a comment, under the heading of their part of the file. */
type ExplainedSettings = { title: string; names: string[]; comment: string };

/**
 * Every setting of the service: its comment in .env.example, with the format and default of its
 * schema.
 */
export function settingsSections(
  example: string = readFileSync('.env.example', 'utf8'),
): Section[] {
  const required = requiredNames();
  const explained = readExample(example).filter(({ names }) =>
    names.every((name) => ENV_NAMES.includes(name)),
  );
  const titles = [...new Set(explained.map(({ title }) => title))];
  const partOf = (title: string) =>
    explained.filter((one) => one.title === title).map((one) => lineOf(one, required));
  const text = titles.map((title) => `### ${title}\n\n${partOf(title).join('\n')}`).join('\n\n');
  return [{ page: PAGE, name: 'settings', text }];
}

/** Settings whose (required) mark in .env.example is wrong or missing. */
export function misplacedMarks(example: string): string[] {
  const required = requiredNames();
  return readExample(example).flatMap(({ names, comment }) => {
    const isMarked = REQUIRED.test(comment);
    const isRequired = names.some((name) => required.has(name));
    if (isMarked === isRequired) return [];
    const what = isMarked ? 'remove (required) from' : 'add (required) to';
    return [`.env.example: ${what} the comment of ${names.join(', ')}`];
  });
}

/** Consecutive settings share the comment above them. */
function readExample(example: string): ExplainedSettings[] {
  const found: ExplainedSettings[] = [];
  let title = '';
  let comment: string[] = [];
  let open: ExplainedSettings | null = null;
  for (const line of example.split('\n')) {
    const name = SETTING.exec(line)?.[1];
    if (name !== undefined) {
      open ??= { title, names: [], comment: comment.join(' ') };
      if (open.names.length === 0) found.push(open);
      open.names.push(name);
      continue;
    }
    if (open || !line.startsWith('#')) [open, comment] = [null, []];
    const heading = TITLE.exec(line)?.[1];
    if (heading !== undefined) title = heading;
    else if (line.startsWith('# ')) comment.push(line.slice(2));
  }
  return found;
}

/** The required settings that a start on mainnet lacks when none is set. */
function requiredNames(): ReadonlySet<string> {
  try {
    parseEnv({ NETWORK: 'mainnet' });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const lines = error.lines.filter((line) => line.includes('must be set'));
    return new Set(lines.flatMap((line) => /^[A-Z][A-Z0-9_]+/.exec(line)?.[0] ?? []));
  }
  return new Set();
}

function lineOf({ names, comment }: ExplainedSettings, required: ReadonlySet<string>): string {
  const heads = names.flatMap((name) => {
    // A key is set either by its text or by the path of a file.
    if (name.endsWith('_FILE') && names.includes(name.slice(0, -'_FILE'.length))) return [];
    const file = names.includes(`${name}_FILE`) ? ` or \`${name}_FILE\`` : '';
    const facts = [...(required.has(name) ? ['required'] : []), ...factsOf(name)];
    return [`\`${name}\`${file}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`];
  });
  return `- ${heads.join(', ')}: ${comment.replace(REQUIRED, '')}`;
}

const form = z.object({
  type: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
  default: z.union([z.string(), z.number()]).optional(),
});
const forms = z.object({ properties: z.record(z.string(), form) });
const FORMS = forms.parse(
  z.toJSONSchema(ENV_SCHEMA, { io: 'input', unrepresentable: 'any' }),
).properties;

/** The allowed values and the default of a setting, from its schema. */
function factsOf(name: string): string[] {
  const found = FORMS[name];
  if (!found) return [];
  const { minimum, maximum, enum: choices, default: byDefault } = found;
  return [
    ...(choices ? [eitherOf(choices)] : []),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(byDefault === undefined || byDefault === '' ? [] : [`default \`${byDefault}\``]),
  ];
}

function eitherOf(choices: readonly string[]): string {
  const texts = choices.map((choice) => `\`${choice}\``);
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1) ?? ''}`;
}
