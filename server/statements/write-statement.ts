import type { Db } from '@/server/db/client';
import { createMint } from '@/server/nft/create-mint';
import { saveItems } from '@/server/storage/save-items';
import { statementName } from './describe-statement';
import type { PreparedStatement } from './prepare-statement';

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
      txCount: facts.totals.count,
      totalUsdMicros: facts.totals.totalMicros,
      csvSha256: facts.csvSha256,
      merkleRoot: facts.merkleRoot,
      complete: facts.complete,
      skipped: list.skipped,
      metadataItemId: metadata.id,
      imageItemId: image.id,
      createdAt: now,
    },
  });
  await tx.statementRow.createMany({
    data: rows.map(({ labels, ...row }, position) => ({
      statementId: facts.statementId,
      position,
      ...row,
      ...labels,
    })),
  });
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
      collection: null,
      transactionSignature: null,
      paymentSignature: o.paymentSignature,
      paid: true,
    },
    now,
  );
}
