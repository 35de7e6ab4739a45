import { serviceContext } from '@/server/api/service-context';
import { ServiceError } from '@/server/errors';
import { findReceipt } from '@/server/receipts/find-receipt';
import { findStatement, loadRows } from '@/server/statements/find-statement';
import { writeCsv } from '@/server/statements/write-csv';
import { loadItem } from '@/server/storage/load-item';
import { COMMON_HEADERS } from './respond';

type Part = 'metadata' | 'image';
type Items = { id: string; imageItemId: string; metadataItemId: string };

/** What never changes once it is there may be kept by everyone. */
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** The metadata or picture of a receipt, byte for byte as signed for permanent storage. */
export async function serveStoredBytes(receiptId: string, part: Part): Promise<Response> {
  const { receipt } = await findReceipt(serviceContext().db, receiptId);
  return serveItem(receipt, part);
}

/** The same of a statement. */
export async function serveStatementBytes(statementId: string, part: Part): Promise<Response> {
  const { statement } = await findStatement(serviceContext().db, statementId);
  return serveItem(statement, part);
}

/** The canonical CSV of a statement: the bytes whose hash is in its NFT. */
export async function serveStatementCsv(statementId: string): Promise<Response> {
  const { db } = serviceContext();
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

async function serveItem(of: Items, part: Part): Promise<Response> {
  const { db } = serviceContext();
  const item = await loadItem(db, part === 'image' ? of.imageItemId : of.metadataItemId);
  if (!item)
    throw new ServiceError('internal', 'Something failed inside the service.', {
      cause: new Error(`${of.id} has no stored ${part}`),
    });
  return new Response(Buffer.from(item.data), {
    headers: {
      ...COMMON_HEADERS,
      ...FOR_EVER,
      'Content-Type': item.contentType,
      ETag: `"${item.id}"`,
    },
  });
}
