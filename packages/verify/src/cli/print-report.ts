import type { CheckLine } from '../receipts/check-line';
import { EXIT_CODES, NOT_PROVABLE, verdictOf, type Verdict } from '../receipts/verdict';

/** Longest detail that is shown: names of many payees may be longer. */
const MOST_CHARACTERS = 400;

/** The results of a check, or why there are none. `notes` are sentences that belong to it. */
export type Report = { lines: readonly CheckLine[]; notes: readonly string[] };

/** Prints a report, as text or as one JSON object, and returns its verdict. */
export function printReport({ lines, notes }: Report, o: { json: boolean }): Verdict {
  const verdict = verdictOf(lines);
  if (o.json) {
    const exit_code = EXIT_CODES[verdict];
    console.log(
      JSON.stringify({ verdict, exit_code, checks: lines, notes, not_provable: NOT_PROVABLE }),
    );
    return verdict;
  }
  for (const { id, title, outcome, detail } of lines) {
    console.log(`${outcome.padEnd(7)}  ${id.padEnd(20)} ${title}`);
    console.log(`${' '.repeat(30)}${printable(detail)}`);
  }
  for (const note of notes) console.log(`\n${printable(note)}`);
  console.log(`\n${sentenceOf(lines)}`);
  console.log(`\nNot provable by anyone:\n${NOT_PROVABLE.map((one) => `- ${one}`).join('\n')}`);
  console.log(`\nVerdict: ${verdict}`);
  return verdict;
}

function sentenceOf(lines: readonly CheckLine[]): string {
  const count = (outcome: CheckLine['outcome']) =>
    lines.filter((line) => line.outcome === outcome).length;
  return `${lines.length} checks: ${count('held')} held, ${count('failed')} failed, ${count('unknown')} unknown.`;
}

/**
 * Texts from documents are shown as plain text: no character in them may move a cursor or turn text
 * around.
 */
export function printable(text: string): string {
  return [...text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?')]
    .slice(0, MOST_CHARACTERS)
    .join('');
}
