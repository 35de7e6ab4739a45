import type { Mint, Statement, StatementRow as StoredRow } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { STATEMENT_ID } from '@/server/ids';
import { ServiceError } from '@/server/errors';
import type { StatementRow } from '@quittance/verify/statements/statement-row';

export type StatementWithMint = { statement: Statement; mint: Mint };

/** A statement without its rows and the state of its mint, by id; throws `statement_not_found`. */
export async function findStatement(db: Db, statementId: string): Promise<StatementWithMint> {
  const [statement, mint] = STATEMENT_ID.test(statementId)
    ? await Promise.all([
        db.statement.findUnique({ where: { id: statementId } }),
        db.mint.findUnique({ where: { id: statementId } }),
      ])
    : [null, null];
  if (statement && mint) return { statement, mint };
  throw new ServiceError(
    'statement_not_found',
    `There is no statement ${statementId.slice(0, 64)}.`,
  );
}

/** The rows of a statement, 5,000 at most, in their order. */
export async function loadRows(db: Db, statementId: string): Promise<StatementRow[]> {
  const rows = await db.statementRow.findMany({
    where: { statementId },
    orderBy: { position: 'asc' },
  });
  return rows.map(toRow);
}

function toRow(stored: StoredRow): StatementRow {
  const { serviceType, transactionType, invoiceId, metadataUri, role, ...row } = stored;
  return {
    txSignature: row.txSignature,
    leg: row.leg,
    slot: row.slot,
    blockTime: row.blockTime,
    role: role === 'payer' ? 'payer' : 'seller',
    counterparty: row.counterparty,
    mint: row.mint,
    token: row.token,
    dtifCode: row.dtifCode,
    decimals: row.decimals,
    amountRaw: row.amountRaw,
    amountSentRaw: row.amountSentRaw,
    feeWithheldRaw: row.feeWithheldRaw,
    usdMicros: row.usdMicros,
    valuation: row.valuation,
    receiptId: row.receiptId,
    labels: { serviceType, transactionType, invoiceId, metadataUri },
  };
}
