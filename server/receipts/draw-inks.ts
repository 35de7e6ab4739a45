/** Colours of the picture: the product's light theme on a slightly darker ground. */
const COLOURS = {
  ground: '#ECECE5',
  paper: '#FFFFFF',
  ink: '#16181D',
  muted: '#5B6270',
  faint: '#DCDCD4',
  verified: '#0B6E4F',
  pending: '#8A5A00',
  failed: '#A3262A',
} as const;
type Colour = keyof typeof COLOURS;

export type Ink = {
  /** One colour on another: palette indexes from not covered at all (the one below) to fully covered. */
  shades: Uint8Array;
  /** The way back: by palette index, how far it is covered with this ink; 0 for colours of others. */
  levels: Uint8Array;
};

const rgb: number[] = [];

/** The inks of the picture, each on what it lies on; together they are the palette. */
export const INKS = {
  edge: ink('ground', 'faint', 8),
  paper: ink('faint', 'paper', 8),
  text: ink('paper', 'ink', 32),
  muted: ink('paper', 'muted', 24),
  rule: ink('paper', 'faint', 2),
  verified: ink('paper', 'verified', 24),
  tick: ink('verified', 'paper', 16),
  pending: ink('paper', 'pending', 24),
  band: ink('paper', 'failed', 2),
  bandText: ink('failed', 'paper', 32),
} as const;

/** Palette index of the bare ground. */
export const GROUND = INKS.edge.shades[0] ?? 0;

/** Three bytes a colour, in the order of their indexes; at most 256 colours. */
export const PALETTE = Uint8Array.from(rgb);

function ink(below: Colour, above: Colour, steps: number): Ink {
  const [a, b] = [channels(below), channels(above)];
  const levels = new Uint8Array(256);
  const shades = Uint8Array.from({ length: steps }, (_, step) => {
    const mix = (c: 0 | 1 | 2) => Math.round(a[c] + ((b[c] - a[c]) * step) / (steps - 1));
    const index = indexOf([mix(0), mix(1), mix(2)]);
    levels[index] = step;
    return index;
  });
  return { shades, levels };
}

/** The same colour has one index, whichever ink asks for it: that is how an ink meets the one below. */
function indexOf(colour: readonly [number, number, number]): number {
  for (let at = 0; at < rgb.length; at += 3)
    if (colour.every((channel, i) => rgb[at + i] === channel)) return at / 3;
  rgb.push(...colour);
  return rgb.length / 3 - 1;
}

function channels(colour: Colour): readonly [number, number, number] {
  const value = Number.parseInt(COLOURS[colour].slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
