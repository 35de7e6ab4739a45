import { findReceipt } from '@/server/receipts/find-receipt';
import type { ProofDocument } from '@quittance/verify/receipts/proof-document';
import { findStatement, loadRows } from '@/server/statements/find-statement';
import { presentRow } from '@quittance/verify/statements/present-row';
import type { StatementProof } from '@quittance/verify/statements/statement-proof';
import type { RequestContext } from '../request-context';
import { proveMint } from './prove-mint';

/** Everything that a check of a receipt needs beside a Solana node; throws as {@link proveMint} does. */
export async function readProof(
  ctx: RequestContext,
  input: { receipt_id: string },
): Promise<ProofDocument> {
  const { receipt, mint } = await findReceipt(ctx.service.db, input.receipt_id);
  const { id, txSignature } = receipt;
  const proof = await proveMint(ctx, { mint, named: `receipt ${id}`, at: `/mint/status/${id}` });
  return { ...proof, receipt_id: id, tx_signature: txSignature };
}

/** The same for a statement, with all of its rows. */
export async function readStatementProof(
  ctx: RequestContext,
  input: { statement_id: string },
): Promise<StatementProof> {
  const { db } = ctx.service;
  const { statement, mint } = await findStatement(db, input.statement_id);
  const { id } = statement;
  const [proof, rows] = await Promise.all([
    proveMint(ctx, { mint, named: `statement ${id}`, at: `/statement/${id}` }),
    loadRows(db, id),
  ]);
  return { ...proof, statement_id: id, transactions: rows.map(presentRow) };
}
