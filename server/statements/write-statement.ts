import { statementName } from '@quittance/verify/statements/describe-statement';
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
import { describeStatement, type StatementFacts } from './describe-statement';
import { drawStatement } from './draw-statement';
import { lastInstant, type StatementList } from './frozen-list';
import { writeRows } from './stored-rows';

/**
 * Writes a prepared statement with its rows, its two storage items and its pending mint, inside the
 * caller's transaction. Its transactions are final already, so the mint waits only for the payment.
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

/** A statement whose image and metadata are signed, so that their addresses are known; not written yet. */
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
  const files = await signFiles(service.env, {
    kind: 'statement',
    id: facts.statementId,
    image: drawStatement(facts, service.draw),
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
    period: period && { ...period, minMicros: list.minMicros },
    complete: list.complete,
    totals: sumRows(rows),
    csvSha256: csvSha256(writeCsv(wallet, rows)),
    merkleRoot: rootOf(rows.map((row) => leafOf(presentRow(row)))),
  };
}
