import { drawHere, type DrawSheet } from '@quittance/verify/images/draw-sheet';
import { statementSheet } from '@quittance/verify/images/statement-sheet';
import { STATEMENT_TEMPLATE } from '@quittance/verify/statements/describe-statement';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { describeStatement, type StatementFacts } from './describe-statement';

/**
 * The image of a statement: PNG, 1000 by 1000, by the drawing code of receipts. Equal facts give equal bytes; nothing
 * is ever fetched.
 */
export function drawStatement(
  facts: StatementFacts,
  draw: DrawSheet = drawHere,
): Promise<Uint8Array> {
  const sheet = statementSheet({
    ...facts,
    template: Number(STATEMENT_TEMPLATE),
    pageUrl: `${facts.publicUrl}/s/${facts.statementId}`,
  });
  return draw(sheet, { [FACTS_KEY]: factsDigest(describeStatement(facts, '')) });
}
