import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const DOCUMENT = 'docs/architecture.md';
/** Sections that list the files of a walk, and the longest allowed length. */
const WALKS = [
  { title: 'From `POST /mint` to the closed NFT', files: 40, changes: 15 },
  { title: 'Taking a payment', files: 20, changes: 15 },
];
const STEP = /^- `([^`]+)` `([^`]+)`: /gm;

/** The walks through the code in the document: every step exists, and no walk is too long. */
export function checkWalk(): string[] {
  const text = readFileSync(DOCUMENT, 'utf8');
  return WALKS.flatMap((walk) => faultsOfWalk(sectionOf(text, walk.title), walk, read));
}

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

/** The faults of one list of steps. `read` returns the text of a file, or null if there is none. */
export function faultsOfWalk(
  section: string,
  most: { title: string; files: number; changes: number },
  read: (file: string) => string | null,
): string[] {
  const steps = [...section.matchAll(STEP)].map(([, file = '', name = '']) => ({ file, name }));
  const faults = steps.flatMap(({ file, name }) => {
    const source = read(file);
    if (source === null)
      return [`${DOCUMENT}: the step ${file} is not there; name the file it moved to`];
    return new RegExp(`\\b${name}\\b`).test(source)
      ? []
      : [`${DOCUMENT}: ${file} has no ${name}; name what a reader looks for there`];
  });
  const folders = steps.map(({ file }) => dirname(file));
  const changes = folders.filter((folder, i) => i > 0 && folder !== folders[i - 1]).length;
  if (steps.length === 0) faults.push(`${DOCUMENT}: "${most.title}" lists no steps`);
  if (new Set(steps.map(({ file }) => file)).size > most.files)
    faults.push(`${DOCUMENT}: "${most.title}" opens more than ${most.files} files`);
  if (changes > most.changes)
    faults.push(
      `${DOCUMENT}: "${most.title}" changes folder ${changes} times, at most ${most.changes}`,
    );
  return faults;
}

function sectionOf(text: string, title: string): string {
  const begins = text.indexOf(`\n## ${title}\n`);
  if (begins < 0) return '';
  const ends = text.indexOf('\n## ', begins + 4);
  return text.slice(begins, ends < 0 ? undefined : ends);
}
