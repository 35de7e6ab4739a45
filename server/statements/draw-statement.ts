import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/picture-digest';
import type { TokenTotal } from '@quittance/verify/statements/statement-rows';
import { startOf } from '@/server/clock';
import { amountWords, dollars, shortAddress, shorten, utcDate } from '@/server/receipts/draw-words';
import { drawHere, type DrawSheet, type Row, type Sheet } from '@/server/receipts/draw-sheet';
import { describeStatement, type StatementFacts } from './describe-statement';

/** Tokens that get a line of their own; the metadata lists all. */
const MOST_TOKENS = 5;

/**
 * The picture of a statement: PNG, 1000 by 1000, by the drawing code of receipts, with the total first.
 * Equal facts give equal bytes; nothing is ever fetched.
 */
export function drawStatement(
  facts: StatementFacts,
  draw: DrawSheet = drawHere,
): Promise<Uint8Array> {
  return draw(statementSheet(facts), { [FACTS_KEY]: factsDigest(describeStatement(facts, '')) });
}

function statementSheet(facts: StatementFacts): Sheet {
  const { totals, firstDay, lastDay } = facts;
  const day = (text: string) => utcDate(startOf(text));
  return {
    network: facts.network,
    what: 'statement',
    id: facts.statementId,
    page: `${facts.publicUrl}/s/${facts.statementId}`,
    caption: 'Paid and received',
    amount: { amount: dollars(totals.totalMicros).slice(1), token: 'USD' },
    headlines: [
      { label: 'Wallet', value: shortAddress(facts.wallet), face: 'mono', mark: 'service' },
      {
        label: 'Days',
        value: firstDay === lastDay ? day(firstDay) : `${day(firstDay)} to ${day(lastDay)}`,
        face: 'regular',
        mark: 'service',
      },
    ],
    groups: [{ mark: 'service', title: 'Added up by Quittance', rows: statementRows(facts) }],
  };
}

function statementRows(facts: StatementFacts): Row[] {
  const { totals } = facts;
  const shown = totals.tokens.slice(0, MOST_TOKENS);
  const more = totals.tokens.length - shown.length;
  return [
    row('Wallet', facts.wallet, 'mono'),
    row('Payments', amountWords(BigInt(totals.txCount), 0)),
    row('Paid', dollars(totals.asPayerMicros)),
    row('Received', dollars(totals.asSellerMicros)),
    ...shown.map((one) => row(one.token, inToken(one))),
    ...(more > 0 ? [row('Others', `${more} more tokens: see the metadata`)] : []),
    row('CSV hash', shorten(facts.csvSha256), 'mono'),
    row('Merkle root', shorten(facts.merkleRoot), 'mono'),
  ];
}

function inToken({ asPayer, asSeller, decimals }: TokenTotal): string {
  return `paid ${amountWords(asPayer, decimals)}, received ${amountWords(asSeller, decimals)}`;
}

function row(label: string, value: string, face: Row['face'] = 'regular'): Row {
  return { label, value, face };
}
