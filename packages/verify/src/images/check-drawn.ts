import { ALONE_SINCE } from '../receipts/check-template-use';
import { notJudged, type CheckLine, type Outcome } from '../receipts/check-line';
import { FACTS_KEY, factsDigest } from '../receipts/image-digest';
import { type Difference, differenceOf, readDrawnWith } from './compare-images';
import type { DrawSheet, Sheet } from './draw-sheet';
import { drawsTheSame, isReleased, mayBeReleased, versionsIn } from './released-drawing';

const ID = 'picture_redrawn';
const TITLE = 'The image is the one that the service draws from these facts';
/** The drawing code is that of the third template, of receipts and of statements. */
const FIRST_DRAWN = 3;

/** The drawing code with its packages, or why it cannot run here. */
export type Drawing = { ok: true; draw: DrawSheet; drawnWith: string } | { ok: false; why: string };
/** The inputs of an image, or why they are not known. */
export type SheetReading =
  { ok: true; sheet: Sheet; template: number } | { ok: false; why: string };

/**
 * The most that a colour may differ, of 255, after the same versions drew on another machine.
 * Processors round the edges of letters and the colours of emoji differently. Another word differs
 * by twice as much.
 */
const SHADE = 96;

/**
 * Draws an image again and compares the two. The image names its packages. An image without names
 * is believed only for the time in which images had none, and counts as drawn by the packages of
 * that time. If the same versions drew on another machine, a difference of a shade proves nothing.
 * If a release drew with other versions, no difference of pixels proves anything.
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
  if (difference.of === 'form') return line('failed', why);
  const { mintedAt } = o;
  const named = readDrawnWith(image);
  const isLate = mintedAt !== null && mintedAt >= ALONE_SINCE;
  if (named === null && isLate) return line('failed', why);
  if (named !== null && drawsTheSame(named, drawing.drawnWith)) return line('failed', why);
  const versions = versionsIn(named);
  if (drawsTheSame(versions, versionsIn(drawing.drawnWith)))
    return difference.most > SHADE
      ? line('failed', `${why}, by more than another machine shades them`)
      : notJudged(
          ID,
          TITLE,
          `${why} by a shade. ${inWords(named)}, and again with ${drawing.drawnWith}`,
        );
  if (!mayBeReleased(versions, mintedAt))
    return line('failed', `${why}, and no release draws with ${versions}`);
  const how = isReleased(versions)
    ? 'Install these versions, which decide it'
    : 'A newer verifier may know these versions';
  return notJudged(
    ID,
    TITLE,
    `${why}. ${inWords(named)}, and again with ${drawing.drawnWith}. ${how}`,
  );
}

function inWords(named: string | null): string {
  return named === null
    ? 'It does not name the packages that drew it'
    : `It was drawn with ${named}`;
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
