import { ALONE_SINCE } from '../receipts/check-template-use';
import { notJudged, type CheckLine, type Outcome } from '../receipts/check-line';
import { FACTS_KEY, factsDigest } from '../receipts/picture-digest';
import { type Difference, differenceOf, readDrawnWith } from './compare-images';
import type { DrawSheet, Sheet } from './draw-sheet';

const ID = 'picture_redrawn';
const TITLE = 'The image is the one that these facts draw';
/** The drawing code is that of the third template, of receipts and of statements. */
const FIRST_DRAWN = 3;

/** The drawing code with its packages, or why it cannot run here. */
export type Drawing = { ok: true; draw: DrawSheet; drawnWith: string } | { ok: false; why: string };
/** What an image is drawn from, or why that is not known. */
export type SheetReading =
  { ok: true; sheet: Sheet; template: number } | { ok: false; why: string };

/**
 * Draws an image again and compares the two. An image that other packages drew may differ by a shade, so that a
 * difference says nothing then. The image names its packages; one that does not is believed only while images without
 * that name were made.
 */
export async function checkDrawn(o: {
  reading: SheetReading;
  metadata: Uint8Array;
  image: Uint8Array;
  mintedAt: Date | null;
  drawing: Drawing;
}): Promise<CheckLine> {
  const { reading, drawing, image } = o;
  if (!reading.ok) return notJudged(ID, TITLE, reading.why);
  if (!drawing.ok) return notJudged(ID, TITLE, drawing.why);
  const compared = await compare(image, () =>
    drawing.draw(reading.sheet, { [FACTS_KEY]: factsDigest(o.metadata) }),
  );
  if ('error' in compared) return notJudged(ID, TITLE, `it cannot be drawn: ${compared.error}`);
  const { difference } = compared;
  const line = (outcome: Outcome, detail: string) => ({ id: ID, title: TITLE, outcome, detail });
  if (!difference) return line('held', `drawn again with ${drawing.drawnWith}`);
  const { why } = difference;
  if (reading.template < FIRST_DRAWN)
    return notJudged(ID, TITLE, `the drawing code of template ${reading.template} is not kept`);
  const named = readDrawnWith(image);
  if (named === null && (o.mintedAt === null || o.mintedAt < ALONE_SINCE))
    return notJudged(ID, TITLE, `${why}, and it does not name what drew it`);
  const isOther = named !== null && named !== drawing.drawnWith;
  if (isOther && difference.of === 'pixels')
    return notJudged(
      ID,
      TITLE,
      `${why}. It was drawn with ${named}, and again with ${drawing.drawnWith}`,
    );
  return line('failed', why);
}

/** An image that cannot be drawn here says nothing about the one that is checked. */
async function compare(
  image: Uint8Array,
  draw: () => Promise<Uint8Array>,
): Promise<{ difference: Difference | null } | { error: string }> {
  try {
    return { difference: differenceOf(image, await draw()) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
