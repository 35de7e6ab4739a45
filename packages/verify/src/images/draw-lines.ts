import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Face, styleText } from './draw-fonts';
import { clusters, findGlyphs } from './glyphs';

/** Text of one line, measured in pixels; `draw` puts its baseline at y and its left end at x. */
export type Line = { width: number; draw(x: number, y: number): void };
/** In pixels, between the letters. */
export type Spacing = { letterSpacing?: number };
type Style = Spacing & { face: Face; size: number };
/** Tools to set and draw lines: a canvas, and the node_modules folder that has the fonts. */
export type Pen = { context: SKRSContext2D; folder: string };

/** Longer texts are cut before anything is measured: no line of an image holds as much. */
const LONGEST = 4000;
const ELLIPSIS = '…';
/** The first letter decides the direction of a line, like on the page. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Sets one line. Letters join, are ordered and get their marks by the rules of their script. */
export function setLine(pen: Pen, given: string, style: Style): Line {
  const { context, folder } = pen;
  const { text, families } = styleText(given, { face: style.face, folder });
  const apply = () => {
    context.font = `${style.size}px ${families}`;
    context.letterSpacing = `${style.letterSpacing ?? 0}px`;
    context.direction = RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr';
    context.textAlign = 'left';
  };
  apply();
  return {
    width: context.measureText(text).width,
    draw(x, y) {
      apply();
      context.fillText(text, x, y);
    },
  };
}

/** As much of the text as fits into `room` pixels, with an ellipsis where it was cut. */
export function lineWithin(pen: Pen, text: string, o: Style & { room: number }): Line {
  const whole = shownClusters(text);
  // No letter is narrower than a tenth of its height.
  const all = whole.slice(0, Math.ceil((o.room / o.size) * 10));
  const line = setLine(pen, all.join(''), o);
  if (line.width <= o.room && all.length === whole.length && text.length <= LONGEST) return line;
  const kept = most(all.length - 1, (count) => shortened(pen, all, count, o).width <= o.room);
  return shortened(pen, all, kept, o);
}

/** The text on at most `most` lines, broken between words, and within a word that is too long. */
export function linesWithin(
  pen: Pen,
  text: string,
  o: { size: number; room: number; most: number },
): Line[] {
  const style = { face: 'regular', size: o.size } as const;
  const all = shownClusters(text);
  const fits = (count: number) => setLine(pen, all.slice(0, count).join(''), style).width <= o.room;
  if (o.most === 1 || fits(all.length)) return [lineWithin(pen, text, { ...style, room: o.room })];
  const kept = Math.max(1, most(all.length, fits));
  const space = all.lastIndexOf(' ', kept);
  const end = space > 0 ? space : kept;
  const head = setLine(pen, all.slice(0, end).join(''), style);
  const rest = all.slice(end).join('').trimStart();
  return [head, ...linesWithin(pen, rest, { ...o, most: o.most - 1 })];
}

/**
 * The drawn form of a text, in which the code points of characters without a font can be cut as
 * well.
 */
function shownClusters(text: string): string[] {
  return clusters(findGlyphs(text.slice(0, LONGEST)).text);
}

function shortened(pen: Pen, all: string[], count: number, style: Style): Line {
  return setLine(pen, all.slice(0, count).join('').trimEnd() + ELLIPSIS, style);
}

/** The largest count up to `limit` that holds, where smaller ones hold as well; 0 if none does. */
function most(limit: number, holds: (count: number) => boolean): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
