import { drawHere, type DrawSheet } from '@quittance/verify/images/draw-sheet';
import { receiptSheet } from '@quittance/verify/images/receipt-sheet';
import { TEMPLATE } from '@quittance/verify/receipts/describe-beside';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { describeReceipt } from './describe-receipt';
import type { ReceiptFacts } from './receipt-facts';

/**
 * The image of a receipt: PNG, 1000 by 1000, below 100 KiB. Its tEXt chunks hold the digest of the
 * facts and the packages that drew it. Drawing takes some tens of milliseconds of the thread of
 * `draw`, and compressing runs on the thread pool. Equal facts give equal bytes. Fonts are read
 * from node_modules. Nothing is ever fetched, whatever the labels hold.
 */
export function drawReceipt(facts: ReceiptFacts, draw: DrawSheet = drawHere): Promise<Uint8Array> {
  const pageUrl = `${facts.publicUrl}/r/${facts.receiptId}`;
  const sheet = receiptSheet({
    ...facts,
    pageUrl,
    template: facts.beside ? Number(TEMPLATE) : 1,
    goodsCount: facts.beside?.goods.length ?? 0,
  });
  return draw(sheet, { [FACTS_KEY]: factsDigest(describeReceipt(facts, '')) });
}
