import { existsSync, readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { makeReference } from './make-reference';
import type { Page } from './sections';

const FILE = 'components/docs/reference.json';

/** The file of the reference that the browser gets on /docs. */
export async function referencePage(): Promise<Page> {
  const was = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const options = await resolveConfig(FILE);
  const text = JSON.stringify(makeReference());
  return { file: FILE, was, wanted: await format(text, { ...options, parser: 'json' }) };
}
