import { z } from 'zod';
import { evidenceOfMint, type SeenMint } from '../receipts/evidence-of-proof';
import { checkStated, type ServedFiles } from '../receipts/check-proof';
import type { CheckLine } from '../receipts/check-line';
import type { IssuerDocument } from '../receipts/issuer-document';
import { mintProof } from '../receipts/proof-document';
import { checkStatement, type StatementEvidence } from './check-statement';
import { leafOf, pathOf, pathStep } from './merkle';
import { statementItem } from './statement-rows';

/**
 * `/statement/{statement_id}/proof`: everything that a check of a statement needs apart from a
 * Solana node. To show one payment alone, remove `transactions` and pass on the proof of its row
 * with it.
 */
export const statementProof = mintProof.extend({
  statement_id: z.string().max(128),
  transactions: z.array(statementItem).min(1).max(5_000).optional(),
});
export type StatementProof = z.infer<typeof statementProof>;

type Shown = {
  document: StatementProof;
  issuer: IssuerDocument;
  seen: SeenMint;
  served?: ServedFiles | undefined;
} & Pick<StatementEvidence, 'csv' | 'membership' | 'payments'>;

/**
 * Checks the proof of a statement: everything that {@link checkStatement} checks of the shown
 * parts. Then it compares the document's own statements with its files and the chain. Pure.
 */
export function checkStatementProof(o: Shown): CheckLine[] {
  const { document, csv, membership, payments } = o;
  const evidence: StatementEvidence = {
    ...evidenceOfMint(o),
    statementId: document.statement_id,
    rows: document.transactions ?? null,
    payments,
    csv,
    membership,
  };
  return [...checkStatement(evidence), ...checkStated({ document, evidence, served: o.served })];
}

/** The needed part of the proof path's answer for one row. */
export const rowProof = z.object({ row: statementItem, path: z.array(pathStep).max(30) });
export type RowProof = z.infer<typeof rowProof>;

/**
 * The row of a transaction in a proof with its way to the root; null when it lists none. Without `leg` the
 * first of its rows.
 */
export function findRowProof(
  { transactions: rows = [] }: StatementProof,
  o: { txSignature: string; leg?: number | undefined },
): RowProof | null {
  const at = rows.findIndex(
    (one) => one.tx_signature === o.txSignature && (o.leg === undefined || one.leg === o.leg),
  );
  const row = rows[at];
  return row ? { row, path: pathOf(rows.map(leafOf), at) } : null;
}
