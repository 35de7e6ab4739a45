import { serviceContext } from '@/server/api/service-context';
import { drawReceiptCard } from '@/server/receipts/draw-receipt';
import { factsOfReceipt } from '@/server/receipts/facts-of-receipt';
import { findReceipt } from '@/server/receipts/find-receipt';
import { COMMON_HEADERS } from './respond';

/** The picture of a receipt for links that unfold, 1200 by 630; drawn anew, as it is not kept. */
export async function serveReceiptCard(receiptId: string): Promise<Response> {
  const { db, env } = serviceContext();
  const { receipt } = await findReceipt(db, receiptId);
  const png = await drawReceiptCard(factsOfReceipt(receipt, env));
  return new Response(Buffer.from(png), {
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': 'image/png',
      // Nothing on it ever changes, and caches spare the drawing.
      'Cache-Control': 'public, max-age=86400, immutable',
    },
  });
}
