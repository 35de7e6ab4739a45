import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';
import { findGlyphs, TEXT_FILES } from './glyphs';

/** Typefaces of the image: text, the same bolder, and one where every character is equally wide. */
export type Face = 'regular' | 'semibold' | 'mono';

/** Latin only, for the service's own texts. Other text is regular, in the fonts of its scripts. */
const LATIN_FILES = {
  semibold: '@fontsource/inter/files/inter-latin-600-normal',
  mono: '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal',
} as const;
/** Packages that these files are of. */
export const FONT_PACKAGES: readonly string[] = [
  ...new Set(
    [...TEXT_FILES, ...Object.values(LATIN_FILES)].map((file) => file.split('/files/')[0] ?? ''),
  ),
].sort();
const LATIN = /^[\x20-\x7e\u2013\u2026]*$/;

/** The text to draw, and the names of its fonts, in the form of the canvas. */
export type Styled = { text: string; families: string };

/**
 * Finds and loads the fonts of a text. Only these are named to the canvas, and they hold every
 * character. So neither fonts of the machine nor those loaded before affect the image.
 */
export function styleText(text: string, o: { face: Face; folder: string }): Styled {
  const { face, folder } = o;
  if (face !== 'regular' && LATIN.test(text))
    return { text, families: load(LATIN_FILES[face], folder) };
  const { text: drawn, files } = findGlyphs(text);
  const families = files.map((file) => load(`${file}-400-normal`, folder));
  return { text: drawn, families: families.join(', ') };
}

const loaded = new Map<string, string>();

/** Loads a font file of a node_modules folder once a process, and gives its name. */
function load(file: string, folder: string): string {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const name = `"Quittance ${basename(file)}"`;
  if (!GlobalFonts.register(readFontFile(join(folder, `${file}.woff2`)), name.slice(1, -1)))
    throw new Error(`the canvas cannot load the font ${file}. Install its package again.`);
  loaded.set(file, name);
  return name;
}

function readFontFile(path: string): Buffer {
  try {
    return readFileSync(/* turbopackIgnore: true */ path);
  } catch (error) {
    throw new Error(
      `the font file ${path} cannot be read. Install the packages of the fonts. In a clone, run npm ci and start in its folder.`,
      { cause: error },
    );
  }
}
