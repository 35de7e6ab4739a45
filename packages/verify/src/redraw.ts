import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawFrom, type DrawSheet } from './images/draw-sheet';
import { drawnWith } from './images/drawn-with';

/**
 * Draws by the code of the service, with the packages in the nearest node_modules folder above this file that has the
 * canvas. Throws where there is none, or where a font is not installed there.
 */
export function openDrawing(): { draw: DrawSheet; drawnWith: string } {
  const folder = folderOfCanvas(dirname(fileURLToPath(import.meta.url)));
  if (folder === null) throw new Error('no folder above the verifier has @napi-rs/canvas');
  return { draw: drawFrom(folder), drawnWith: drawnWith(folder) };
}

function folderOfCanvas(from: string): string | null {
  const folder = join(from, 'node_modules');
  if (existsSync(join(folder, '@napi-rs/canvas/package.json'))) return folder;
  const above = dirname(from);
  return above === from ? null : folderOfCanvas(above);
}
