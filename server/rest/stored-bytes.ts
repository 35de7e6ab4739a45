import { writeCsv } from '@quittance/verify/statements/write-csv';
import { callOf, type RequestContext } from '@/server/api/request-context';
import { ServiceError } from '@/server/errors';
import { drawOnThread } from '@/server/receipts/draw-on-thread';
import { drawReceipt } from '@/server/receipts/draw-receipt';
import { findReceipt } from '@/server/receipts/find-receipt';
import { shownReceipt } from '@/server/receipts/hide-labels';
import { factsOfRow } from '@/server/receipts/receipt-codec';
import { findStatement } from '@/server/statements/find-statement';
import { loadRows } from '@/server/statements/stored-rows';
import { loadItem } from '@/server/storage/stored-items';
import { chargeClient } from '@/server/use-cases/charge-limits';
import { COMMON_HEADERS } from './respond';

type Part = 'metadata' | 'image';
type Items = { id: string; imageItemId: string; metadataItemId: string };

/** Every cache may keep what never changes. */
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** The image of a receipt changes when the operator hides its labels, so caches keep it for a short time. */
const FOR_A_WHILE = { 'Cache-Control': 'public, max-age=300' };

/**
 * The metadata or image of a receipt, byte for byte as signed for permanent storage. An image with hidden labels is
 * drawn again with a note in their place. It is not the stored image, and has another digest.
 */
export async function serveStoredBytes(
  ctx: RequestContext,
  receiptId: string,
  part: Part,
): Promise<Response> {
  await chargeClient(callOf(ctx, null), 'reads');
  const { receipt } = await findReceipt(ctx.service.db, receiptId);
  if (part === 'metadata') return serveItem(ctx, receipt, part);
  if (receipt.labelsHiddenAt === null) return serveItem(ctx, receipt, part, FOR_A_WHILE);
  const image = await drawReceipt(factsOfRow(shownReceipt(receipt), ctx.service.env), drawOnThread);
  return new Response(Buffer.from(image), {
    headers: {
      ...COMMON_HEADERS,
      ...FOR_A_WHILE,
      'Content-Type': 'image/png',
      ETag: `"${receipt.imageItemId}-hidden"`,
    },
  });
}

/** The same of a statement. */
export async function serveStatementBytes(
  ctx: RequestContext,
  statementId: string,
  part: Part,
): Promise<Response> {
  await chargeClient(callOf(ctx, null), 'reads');
  const { statement } = await findStatement(ctx.service.db, statementId);
  return serveItem(ctx, statement, part);
}

/** The canonical CSV of a statement: the bytes whose hash is in its NFT. */
export async function serveStatementCsv(
  ctx: RequestContext,
  statementId: string,
): Promise<Response> {
  await chargeClient(callOf(ctx, null), 'reads');
  const { db } = ctx.service;
  const { statement } = await findStatement(db, statementId);
  return new Response(writeCsv(statement.wallet, await loadRows(db, statement.id)), {
    headers: {
      ...COMMON_HEADERS,
      ...FOR_EVER,
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="statement-${statement.id}.csv"`,
      ETag: `"${statement.csvSha256}"`,
    },
  });
}

async function serveItem(
  ctx: RequestContext,
  of: Items,
  part: Part,
  caching: typeof FOR_EVER | typeof FOR_A_WHILE = FOR_EVER,
): Promise<Response> {
  const { db } = ctx.service;
  const item = await loadItem(db, part === 'image' ? of.imageItemId : of.metadataItemId);
  if (!item)
    throw new ServiceError(
      'internal',
      'Something failed inside the service. Send the request_id to the operator.',
      {
        cause: new Error(`${of.id} has no stored ${part}`),
      },
    );
  return new Response(Buffer.from(item.data), {
    headers: {
      ...COMMON_HEADERS,
      ...caching,
      'Content-Type': item.contentType,
      ETag: `"${item.id}"`,
    },
  });
}
