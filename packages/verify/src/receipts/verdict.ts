import { type CheckLine, type Outcome, worstOf } from './check-line';

/** What a check ends with, in the words that command line, page and JSON all use. */
export const VERDICTS = ['genuine', 'not genuine', 'could not be checked'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How the command line ends for each verdict. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  genuine: 0,
  'not genuine': 1,
  'could not be checked': 2,
};

/** How it ends when it was called in a way that it does not understand (`EX_USAGE` of sysexits.h). */
export const USAGE_EXIT_CODE = 64;

/** What no check of a receipt or a statement can show, whoever makes it. */
export const NOT_PROVABLE: readonly string[] = [
  'Labels (service type, transaction type, invoice number): they are the word of the party that gave them.',
  'The whole of a period: the owner of a wallet may have other wallets.',
  'Market values and exchange rates: they are the word of the source that is named.',
  'The pixels of the image, unless --redraw of the command drew it again: compare them with the facts by eye.',
  'A website that served this receipt or statement, and when.',
];

const VERDICT_OF: Readonly<Record<Outcome, Verdict>> = {
  held: 'genuine',
  failed: 'not genuine',
  unknown: 'could not be checked',
};

/** One line that failed decides; then one that is unknown. No lines at all is no check. */
export function verdictOf(lines: readonly CheckLine[]): Verdict {
  return VERDICT_OF[lines.length === 0 ? 'unknown' : worstOf(lines.map(({ outcome }) => outcome))];
}
