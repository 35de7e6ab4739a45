import { chargeClient } from '@/server/api/guards/limits';
import type { RequestContext } from '@/server/api/request-context';
import { findReceipt } from '@/server/receipts/find-receipt';
import { ServiceError } from '@/server/errors';
import { loadItem } from '@/server/storage/load-item';
import { COMMON_HEADERS } from './respond';

/** The metadata or picture of a receipt, byte for byte as signed for permanent storage. */
export async function serveStoredBytes(
  ctx: RequestContext,
  receiptId: string,
  part: 'metadata' | 'image',
): Promise<Response> {
  await chargeClient(ctx, 'reads');
  const { db } = ctx.service;
  const { receipt } = await findReceipt(db, receiptId);
  const item = await loadItem(db, part === 'image' ? receipt.imageItemId : receipt.metadataItemId);
  if (!item)
    throw new ServiceError('internal', 'Something failed inside the service.', {
      cause: new Error(`receipt ${receiptId} has no stored ${part}`),
    });
  return new Response(Buffer.from(item.data), {
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': item.contentType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      ETag: `"${item.id}"`,
    },
  });
}
