import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';
import { findGlyphs } from './glyphs';

/** Typefaces of the picture: text, the same bolder, and one where every character is equally wide. */
export type Face = 'regular' | 'semibold' | 'mono';

/** Latin alone: what the service itself writes. Other text is regular, by the fonts of its scripts. */
const LATIN_FILES = {
  semibold: '@fontsource/inter/files/inter-latin-600-normal',
  mono: '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal',
} as const;
const LATIN = /^[\x20-\x7e\u2013\u2026]*$/;

/** Text as it is drawn, and the names of the fonts that draw it, as the canvas takes them. */
export type Styled = { text: string; families: string };

/**
 * Finds and loads the fonts of a text. Exactly these are named to the canvas, and they hold every
 * character, so that neither fonts of the machine nor those loaded before have a part in the picture.
 */
export function styleText(text: string, face: Face): Styled {
  if (face !== 'regular' && LATIN.test(text)) return { text, families: load(LATIN_FILES[face]) };
  const { text: drawn, files } = findGlyphs(text);
  return { text: drawn, families: files.map((file) => load(`${file}-400-normal`)).join(', ') };
}

const loaded = new Map<string, string>();

/** Loads a font file of node_modules once a process, and gives its name. */
function load(file: string): string {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const name = `"Quittance ${basename(file)}"`;
  if (!GlobalFonts.register(readFontFile(`${file}.woff2`), name.slice(1, -1)))
    throw new Error(`the font ${file} cannot be read by the drawing library`);
  loaded.set(file, name);
  return name;
}

function readFontFile(file: string): Buffer {
  // From the working directory, which is the project's folder for every command: a bundler moves this
  // module, so its own address says nothing of where the packages are.
  const path = join(/* turbopackIgnore: true */ process.cwd(), 'node_modules', file);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(
      `the font ${path} cannot be read: start from the project's folder, after npm ci`,
      { cause: error },
    );
  }
}
