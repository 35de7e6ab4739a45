import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const PAGE = /^docs\/decisions\/\d{4}-[^/]+\.md$/;
const INDEX = 'docs/decisions/README.md';
const PARTS = ['Context', 'Options', 'Choice', 'Cost'];
const [LEAST_LINES, MOST_LINES] = [10, 30];

/** The pages of decisions: each has its four parts, a length that a reader takes at once, and a line in the index. */
export function checkDecisions(files: string[]): string[] {
  const index = readFileSync(INDEX, 'utf8');
  return files
    .filter((file) => PAGE.test(file))
    .flatMap((file) => faultsOfDecision(file, readFileSync(file, 'utf8'), index));
}

/** The faults of one page. */
export function faultsOfDecision(file: string, text: string, index: string): string[] {
  const lines = text.trimEnd().split('\n').length;
  const missing = PARTS.filter(
    (part) => !new RegExp(`^\\*\\*${part}\\.\\*\\* \\S|^\\*\\*${part}\\.\\*\\*$`, 'm').test(text),
  );
  return [
    ...missing.map((part) => `${file} has no part "**${part}.**"`),
    ...(lines < LEAST_LINES || lines > MOST_LINES
      ? [
          `${file} has ${lines} lines; say it in ${LEAST_LINES} to ${MOST_LINES}, with each option on a line`,
        ]
      : []),
    ...(index.includes(`(${basename(file)})`) ? [] : [`${file} is not in ${INDEX}`]),
  ];
}
