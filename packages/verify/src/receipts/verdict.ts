import { type CheckLine, type Outcome, worstOf } from './check-line';

/** The result of a check, in the words that command line, page and JSON all use. */
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

/** Facts that no check of a receipt or a statement can show. */
export const NOT_PROVABLE: readonly string[] = [
  'Labels (service type, transaction type, invoice number). They are only as reliable as the party named beside them.',
  'All payments of a person. The owner of a wallet may have other wallets.',
  'Market values and exchange rates. The verifier does not ask the named source.',
  'The pixels of the image, unless --redraw of the command drew it again. Compare them with the facts by eye.',
  'The website that served this receipt or statement, and the time.',
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
