import type { StatementRow } from '@quittance/verify/statements/statement-rows';
import { Prisma, type StatementRow as StoredRow } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/** The list of a statement has the value as text. The check of the column allows only known values. */
type KeptRow = Omit<StoredRow, 'valuation'> & { valuation: string };

/** A row as stored. A new field of the table does not compile until it has a value here. */
function storedOfRow(
  row: StatementRow,
  place: Pick<StoredRow, 'statementId' | 'position'>,
): KeptRow {
  return {
    statementId: place.statementId,
    position: place.position,
    txSignature: row.txSignature,
    leg: row.leg,
    slot: row.slot,
    blockTime: row.blockTime,
    role: row.role,
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
    serviceType: row.labels.serviceType,
    transactionType: row.labels.transactionType,
    invoiceId: row.labels.invoiceId,
    metadataUri: row.labels.metadataUri,
  };
}

/** The row of a statement that a kept one is; the opposite of {@link storedOfRow}. */
function rowOfStored(stored: StoredRow): StatementRow {
  const { serviceType, transactionType, invoiceId, metadataUri } = stored;
  return {
    txSignature: stored.txSignature,
    leg: stored.leg,
    slot: stored.slot,
    blockTime: stored.blockTime,
    role: stored.role,
    counterparty: stored.counterparty,
    mint: stored.mint,
    token: stored.token,
    dtifCode: stored.dtifCode,
    decimals: stored.decimals,
    amountRaw: stored.amountRaw,
    amountSentRaw: stored.amountSentRaw,
    feeWithheldRaw: stored.feeWithheldRaw,
    usdMicros: stored.usdMicros,
    valuation: stored.valuation,
    receiptId: stored.receiptId,
    labels: { serviceType, transactionType, invoiceId, metadataUri },
  };
}

/** Writes the rows of a statement in their order, inside the caller's transaction. */
export async function writeRows(
  tx: Db,
  statementId: string,
  rows: readonly StatementRow[],
): Promise<void> {
  const packed = rows.map((row, position) =>
    Object.fromEntries(
      Object.entries(storedOfRow(row, { statementId, position })).map(([field, value]) => [
        field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        typeof value === 'bigint' ? value.toString() : value,
      ]),
    ),
  );
  const [first] = packed;
  if (!first) return;
  const columns = Prisma.raw(Object.keys(first).join(', '));
  // Raw, with one parameter: the client takes seconds for thousands of rows.
  await tx.$executeRaw`
    insert into statement_rows (${columns})
    select ${columns} from jsonb_populate_recordset(null::statement_rows, ${JSON.stringify(packed)}::jsonb)`;
}

/** The rows of a statement, 5,000 at most, in their order. */
export async function loadRows(db: Db, statementId: string): Promise<StatementRow[]> {
  const rows = await db.statementRow.findMany({
    where: { statementId },
    orderBy: { position: 'asc' },
  });
  return rows.map(rowOfStored);
}
