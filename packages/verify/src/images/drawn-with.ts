import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FONT_PACKAGES } from './draw-fonts';

const manifest = z.object({ version: z.string() });
const known = new Map<string, string>();

/**
 * The packages of a node_modules folder that have a part in an image: the canvas, in its build for this machine, and
 * the fonts. Other versions, and the build for another processor, may shade the edge of a letter differently. Throws
 * where one is not installed.
 */
export function drawnWith(folder: string): string {
  const before = known.get(folder);
  if (before !== undefined) return before;
  const names = ['@napi-rs/canvas', ...FONT_PACKAGES];
  const text = `${names.map((name) => `${name} ${versionOf(folder, name)}`).join(', ')}, ${buildOf(folder)}`;
  known.set(folder, text);
  return text;
}

function versionOf(folder: string, name: string): string {
  const path = join(folder, name, 'package.json');
  return manifest.parse(JSON.parse(readFileSync(/* turbopackIgnore: true */ path, 'utf8'))).version;
}

/** `linux-x64-gnu`: npm installs the builds of the canvas for this machine alone. */
function buildOf(folder: string): string {
  const machine = `${process.platform}-${process.arch}`;
  const builds = readdirSync(/* turbopackIgnore: true */ join(folder, '@napi-rs'))
    .filter((name) => name.startsWith(`canvas-${machine}`))
    .map((name) => name.slice('canvas-'.length));
  return builds.sort().join(' ') || machine;
}
