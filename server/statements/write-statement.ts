import { leafOf, rootOf } from '@quittance/verify/statements/merkle';
import {
  presentRow,
  type StatementRow,
  sumRows,
} from '@quittance/verify/statements/statement-rows';
import { csvSha256, writeCsv } from '@quittance/verify/statements/write-csv';
import { dayOf } from '@/server/clock';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { createMint } from '@/server/nft/mint-rows';
import { saveItems, type SignedFiles, signFiles } from '@/server/storage/stored-items';
import { packChanges } from './balance-changes';
import { describeStatement, type StatementFacts, statementName } from './describe-statement';
import { drawStatement } from './draw-statement';
import { lastInstant, type StatementList } from './frozen-list';

/**
 * Writes a prepared statement with its rows, its two storage items and its pending mint, inside the
 * caller's transaction. What it lists is final already, so the mint waits for the payment alone.
 */
export async function writeStatement(
  tx: Db,
  o: { prepared: PreparedStatement; paymentSignature: string },
): Promise<void> {
  const { facts, list, rows, image, metadata, metadataUri } = o.prepared;
  const now = facts.issuedAt;
  await saveItems(tx, [image, metadata], now);
  await tx.statement.create({
    data: {
      id: facts.statementId,
      wallet: facts.wallet,
      mode: facts.mode,
      periodStart: list.period?.from ?? null,
      periodEnd: list.period?.until ?? null,
      txCount: facts.totals.txCount,
      totalUsdMicros: facts.totals.totalMicros,
      csvSha256: facts.csvSha256,
      merkleRoot: facts.merkleRoot,
      complete: facts.complete,
      skipped: list.skipped,
      ...(list.changes && { balanceChanges: packChanges(list.changes) }),
      metadataItemId: metadata.id,
      imageItemId: image.id,
      createdAt: now,
    },
  });
  await writeRows(tx, facts.statementId, rows);
  await createMint(
    tx,
    {
      id: facts.statementId,
      kind: 'statement',
      owner: facts.wallet,
      name: statementName(facts),
      metadataUri,
      metadataItemId: metadata.id,
      imageItemId: image.id,
      transactionSignature: null,
      paymentSignature: o.paymentSignature,
      paid: true,
    },
    now,
  );
}

/** In one statement: the library's way takes seconds for thousands of rows. */
async function writeRows(
  tx: Db,
  statementId: string,
  rows: readonly StatementRow[],
): Promise<void> {
  const packed = rows.map((row, position) => ({
    position,
    tx_signature: row.txSignature,
    leg: row.leg,
    slot: row.slot.toString(),
    block_time: row.blockTime.toISOString(),
    role: row.role,
    counterparty: row.counterparty,
    mint: row.mint,
    token: row.token,
    dtif_code: row.dtifCode,
    decimals: row.decimals,
    amount_raw: row.amountRaw.toString(),
    amount_sent_raw: row.amountSentRaw.toString(),
    fee_withheld_raw: row.feeWithheldRaw.toString(),
    usd_micros: row.usdMicros.toString(),
    valuation: row.valuation,
    receipt_id: row.receiptId,
    service_type: row.labels.serviceType,
    transaction_type: row.labels.transactionType,
    invoice_id: row.labels.invoiceId,
    metadata_uri: row.labels.metadataUri,
  }));
  await tx.$executeRaw`
    insert into statement_rows (statement_id, position, tx_signature, leg, slot, block_time, role,
      counterparty, mint, token, dtif_code, decimals, amount_raw, amount_sent_raw, fee_withheld_raw,
      usd_micros, valuation, receipt_id, service_type, transaction_type, invoice_id, metadata_uri)
    select ${statementId}, r.*
      from jsonb_to_recordset(${JSON.stringify(packed)}::jsonb) as r (position integer,
        tx_signature text, leg integer, slot bigint, block_time timestamptz, role text, counterparty text, mint text,
        token text, dtif_code text, decimals integer, amount_raw bigint, amount_sent_raw bigint,
        fee_withheld_raw bigint, usd_micros bigint, valuation text, receipt_id text, service_type text,
        transaction_type text, invoice_id text, metadata_uri text)`;
}

/** A statement whose picture and metadata are signed, so that their addresses are known; not written yet. */
export type PreparedStatement = SignedFiles & {
  facts: StatementFacts;
  list: StatementList;
  rows: StatementRow[];
};

/** Sums, hashes, draws, describes and signs a statement. Touches neither network nor database. */
export async function prepareStatement(
  service: Pick<ServiceContext, 'env' | 'ids' | 'clock' | 'draw'>,
  o: { wallet: string; list: StatementList; rows: StatementRow[] },
): Promise<PreparedStatement> {
  const facts = gatherFacts(service, o);
  const files = signFiles(service.env, {
    kind: 'statement',
    id: facts.statementId,
    image: await drawStatement(facts, service.draw),
    describe: (imageUri) => describeStatement(facts, imageUri),
  });
  return { facts, list: o.list, rows: o.rows, ...files };
}

function gatherFacts(
  { env, ids, clock }: Pick<ServiceContext, 'env' | 'ids' | 'clock'>,
  o: { wallet: string; list: StatementList; rows: StatementRow[] },
): StatementFacts {
  const { wallet, list, rows } = o;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new RangeError('a statement has at least one row');
  const { period } = list;
  return {
    statementId: ids.statementId(),
    issuedAt: clock.now(),
    network: env.network,
    publicUrl: env.publicUrl,
    wallet,
    mode: list.mode,
    firstDay: dayOf(period?.from ?? first.blockTime),
    lastDay: dayOf(period ? lastInstant(period) : last.blockTime),
    complete: list.complete,
    totals: sumRows(rows),
    csvSha256: csvSha256(writeCsv(wallet, rows)),
    merkleRoot: rootOf(rows.map((row) => leafOf(presentRow(row)))),
  };
}
