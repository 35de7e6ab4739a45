import type { Network } from '../network';
import type { TokenTotal, Totals } from '../statements/statement-rows';
import type { Row, Sheet } from './draw-sheet';
import { amountWords, dollars, shortAddress, shorten, utcDate } from './draw-words';
import { sheetWords } from './sheet-words';

/** Tokens that get a line of their own; the metadata lists all. */
const MOST_TOKENS = 5;

/** The inputs of the image of a statement. */
export type DrawnStatement = {
  /** By which template its metadata is written. */
  template: number;
  statementId: string;
  network: Network;
  pageUrl: string;
  wallet: string;
  /** UTC days. */
  firstDay: string;
  lastDay: string;
  totals: Totals;
  /** Hex. */
  csvSha256: string;
  merkleRoot: string;
};

/** The texts in the image of a statement, with the total first. */
export function statementSheet(statement: DrawnStatement): Sheet {
  const { totals, firstDay, lastDay } = statement;
  const title = sheetWords(statement.template).added;
  const day = (text: string) => utcDate(new Date(`${text}T00:00:00Z`));
  return {
    network: statement.network,
    what: 'statement',
    id: statement.statementId,
    page: statement.pageUrl,
    caption: 'Paid and received',
    amount: { amount: dollars(totals.totalMicros).slice(1), token: 'USD' },
    headlines: [
      { label: 'Wallet', value: shortAddress(statement.wallet), face: 'mono', mark: 'service' },
      {
        label: 'Days',
        value: firstDay === lastDay ? day(firstDay) : `${day(firstDay)} to ${day(lastDay)}`,
        face: 'regular',
        mark: 'service',
      },
    ],
    groups: [{ mark: 'service', title, rows: statementRows(statement) }],
  };
}

function statementRows({ totals, wallet, csvSha256, merkleRoot }: DrawnStatement): Row[] {
  const shown = totals.tokens.slice(0, MOST_TOKENS);
  const more = totals.tokens.length - shown.length;
  return [
    row('Wallet', wallet, 'mono'),
    row('Payments', amountWords(BigInt(totals.txCount), 0)),
    row('Paid', dollars(totals.asPayerMicros)),
    row('Received', dollars(totals.asSellerMicros)),
    ...shown.map((one) => row(one.token, inToken(one))),
    ...(more > 0 ? [row('Others', `${more} more tokens: see the metadata`)] : []),
    row('CSV hash', shorten(csvSha256), 'mono'),
    row('Merkle root', shorten(merkleRoot), 'mono'),
  ];
}

function inToken({ asPayer, asSeller, decimals }: TokenTotal): string {
  return `paid ${amountWords(asPayer, decimals)}, received ${amountWords(asSeller, decimals)}`;
}

function row(label: string, value: string, face: Row['face'] = 'regular'): Row {
  return { label, value, face };
}
