import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';

const CODE = /\.(ts|tsx|mjs|cjs)$/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
/** Next names a folder after its parameter, `[receiptId]`. */
const FOLDER = /^(\.?[a-z0-9]+([-.][a-z0-9]+)*|\[(\.\.\.)?[a-zA-Z]+\]|\d{14}_[a-z_]+)$/;
const MOST_LINES = 400;
/** Folders of one person's machine, which do not exist on another. */
const MACHINE_PATH = /(?<![\w.])\/(?:home|Users|work|root)\/[a-zA-Z.]/;
/**
 * We publish no package under our names, so anyone could publish a program that such a command
 * would run.
 */
const UNPUBLISHED = /\b(?:npx|npm (?:exec|x)|pnpm dlx|yarn dlx|bunx) (?:-\S+ )*@?quittance/;
const BINARY = new Set(['.png', '.ico', '.woff', '.woff2', '.so', '.mmdb', '.gz']);

/** Names, sizes and places of files. */
export function checkFiles(files: string[]): string[] {
  return files.flatMap((file) => [...checkName(file), ...checkText(file)]);
}

function checkName(file: string): string[] {
  if (!CODE.test(file)) return [];
  const folders = file.split('/').slice(0, -1);
  const odd = folders.find((folder) => !FOLDER.test(folder));
  if (odd !== undefined) return [`${file}: rename the folder ${odd} to kebab-case`];
  const name = basename(file).replace(/^\./, '');
  return KEBAB.test(name) ? [] : [`${file}: rename it to kebab-case`];
}

function checkText(file: string): string[] {
  if (BINARY.has(extname(file))) return [];
  const text = readFileSync(file, 'utf8');
  const faults: string[] = [];
  const lines = text.split('\n');
  if (CODE.test(file) && lines.length > MOST_LINES)
    faults.push(`${file}: ${lines.length} lines; move its second idea into a new file`);
  if (file === 'package-lock.json' && /"resolved": "https?:/.test(text))
    faults.push(
      `${file}: records download addresses; install with omit-lockfile-registry-resolved`,
    );
  const at = lines.findIndex((line) => MACHINE_PATH.test(line));
  if (at >= 0) faults.push(`${file}:${at + 1}: names a folder of one machine`);
  const found = lines.findIndex((line) => UNPUBLISHED.test(line));
  if (found >= 0)
    faults.push(
      `${file}:${found + 1}: runs a package that is not published; name npm run verify --`,
    );
  return faults;
}
