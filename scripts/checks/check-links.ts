import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Text of a file of the repository, or null if there is no such file. */
type Read = (file: string) => string | null;

/** `[text](target)`, `![text](target)` without a title, and `<img src="target"`. */
const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|<img src="([^"]+)"/g;
/** A file of the repository in backticks: a path with a folder and an ending of code. */
const NAMED = /`((?:[\w.[\]-]+\/)+[\w.[\]-]+\.(?:tsx?|mjs|cjs|sql|sh|yaml))`/g;
/** Files that only a build makes, so a clone does not have them. */
const MADE = /^(?:generated|packages\/[^/]+\/dist|node_modules)\//;
const EXTERNAL = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/**
 * The relative links and named files of all Markdown files. Each must lead to an existing file, and
 * to a heading in it.
 */
export function checkLinks(files: string[]): string[] {
  const read: Read = (file) => (existsSync(file) ? textOf(file) : null);
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => faultsOfLinks(file, readFileSync(file, 'utf8'), read));
}

/** Folders have no text, but are valid targets. */
const textOf = (file: string) => (file.endsWith('.md') ? readFileSync(file, 'utf8') : '');

/** The link faults of one file. */
export function faultsOfLinks(file: string, text: string, read: Read): string[] {
  return prose(text).flatMap((line, at) => [
    ...[...line.replaceAll(/`[^`]*`/g, '').matchAll(LINK)].flatMap(([, linked, shown]) => {
      const target = linked ?? shown ?? '';
      const fault = faultOfLink({ file, target, text, read });
      return fault === null ? [] : [`${file}:${at + 1}: ${fault}`];
    }),
    ...[...line.matchAll(NAMED)].flatMap(([, named = '']) =>
      [named, join(dirname(file), named)].some((path) => MADE.test(path) || read(path) !== null)
        ? []
        : [`${file}:${at + 1}: ${named} is not there; name the file it moved to`],
    ),
  ]);
}

function faultOfLink(o: { file: string; target: string; text: string; read: Read }): string | null {
  if (EXTERNAL.test(o.target)) return null;
  const [path = '', heading] = o.target.split('#');
  const place = path === '' ? o.file : normalize(join(dirname(o.file), decodeURI(path)));
  const text = path === '' ? o.text : o.read(place);
  if (text === null) return `the link ${o.target} leads nowhere; name the file it moved to`;
  if (heading === undefined || !place.endsWith('.md')) return null;
  return anchorsOf(text).includes(heading)
    ? null
    : `the link ${o.target} names a heading that ${place} does not have`;
}

/** Anchors of headings as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return prose(text).flatMap((line) => {
    const title = /^#{1,6} (.+)$/.exec(line)?.[1];
    return title === undefined ? [] : [anchorOf(title)];
  });
}

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The lines of a text. Lines of code are empty. */
function prose(text: string): string[] {
  let isCode = false;
  return text.split('\n').map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? '' : line;
  });
}
