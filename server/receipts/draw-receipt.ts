import { drawHere, type DrawSheet } from '@quittance/verify/images/draw-sheet';
import { receiptSheet } from '@quittance/verify/images/receipt-sheet';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { describeReceipt } from './describe-receipt';
import type { ReceiptFacts } from './receipt-facts';

/**
 * The image of a receipt: PNG, 1000 by 1000, below 100 KiB, with the digest of the facts and the packages that drew it
 * in tEXt chunks. Drawing takes some tens of milliseconds of the thread that `draw` takes; compressing runs on the
 * thread pool. Equal facts give equal bytes. Fonts are read from node_modules; nothing is ever fetched, whatever the
 * labels hold.
 */
export function drawReceipt(facts: ReceiptFacts, draw: DrawSheet = drawHere): Promise<Uint8Array> {
  const pageUrl = `${facts.publicUrl}/r/${facts.receiptId}`;
  const sheet = receiptSheet({ ...facts, pageUrl, goodsCount: facts.beside?.goods.length ?? 0 });
  return draw(sheet, { [FACTS_KEY]: factsDigest(describeReceipt(facts, '')) });
}
