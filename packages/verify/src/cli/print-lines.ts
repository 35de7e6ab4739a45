import type { CheckLine } from '../receipts/check-line';

/** Longest detail that is shown: names of many payees may be longer. */
const MOST_CHARACTERS = 400;

/** Prints the lines of a check, one each, then a sentence; or all of them as JSON. */
export function printLines(lines: readonly CheckLine[], o: { json: boolean }): void {
  if (o.json) return console.log(JSON.stringify(lines));
  for (const { id, title, held, detail } of lines) {
    console.log(`${held ? 'held  ' : 'FAILED'}  ${id.padEnd(20)} ${title}`);
    if (!held) console.log(`${' '.repeat(29)}${printable(detail)}`);
  }
  const failed = lines.filter(({ held }) => !held).length;
  console.log(failed === 0 ? 'All held.' : `${failed} of ${lines.length} did not hold.`);
}

/** What documents say is shown as text: no character in it may move a cursor or turn text around. */
export function printable(text: string): string {
  return [...text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?')]
    .slice(0, MOST_CHARACTERS)
    .join('');
}
