import { CARD, layOutReceipt } from './draw-layout';
import { SQUARE, type Format } from './draw-sheet';
import { PALETTE } from './draw-inks';
import { encodePng } from './draw-png';
import type { ReceiptFacts } from './receipt-facts';

/**
 * The picture of a receipt for wallets: PNG, 1000 by 1000, well under 100 KiB. Drawing takes a few
 * milliseconds of the calling thread, compressing runs on the thread pool. Equal facts give equal bytes.
 * Fonts are read from node_modules; nothing is ever fetched, whatever the labels hold.
 */
export function drawReceipt(facts: ReceiptFacts): Promise<Uint8Array> {
  return draw(facts, SQUARE);
}

/** The picture of a receipt for links that unfold: PNG, 1200 by 630, by the same drawing code. */
export function drawReceiptCard(facts: ReceiptFacts): Promise<Uint8Array> {
  return draw(facts, CARD);
}

async function draw(facts: ReceiptFacts, format: Format): Promise<Uint8Array> {
  const { width, height, rows } = layOutReceipt(facts, format);
  return encodePng({ width, height, rows, palette: PALETTE });
}
