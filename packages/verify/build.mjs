// Joins the verifier into one file, dist/quittance-verify.mjs. The code that draws images becomes a
// second file, because it needs packages of native code: the first loads it only for --redraw.
// Refuses code that is neither of this package nor of one that npm installed. Then packs both as
// dist/quittance-verify.tgz, which npm installs.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { build } from 'esbuild';

/** Longest block that deflate stores uncompressed (RFC 1951). */
const MOST_STORED = 0xffff;

const here = fileURLToPath(new URL('.', import.meta.url));
const main = fileURLToPath(new URL('dist/quittance-verify.mjs', import.meta.url));
const REDRAW = 'quittance-verify-redraw.mjs';

/** CommonJS packages call `require`, which an ES module does not have. */
const COMMONJS = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join('\n');

/** Leaves the module that draws to a file of its own. */
const drawingApart = {
  name: 'drawing-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/redraw$/ }, () => ({ path: `./${REDRAW}`, external: true })),
};

const ALIKE = {
  absWorkingDir: here,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  banner: { js: `#!/usr/bin/env node\n${COMMONJS}` },
  legalComments: 'inline',
  metafile: true,
  logLevel: 'error',
};
const built = await Promise.all([
  build({ ...ALIKE, entryPoints: ['src/main.ts'], outfile: main, plugins: [drawingApart] }),
  build({
    ...ALIKE,
    entryPoints: ['src/redraw.ts'],
    outfile: join(here, 'dist', REDRAW),
    external: ['@napi-rs/canvas'],
    banner: {},
  }),
]);
const outside = built
  .flatMap(({ metafile }) => Object.keys(metafile.inputs))
  .filter((input) => !input.startsWith('src/') && !input.includes('node_modules/'));
if (outside.length > 0)
  throw new Error(
    `packages/verify must not import ${outside.join(', ')}: move it into packages/verify/src`,
  );
await chmod(main, 0o755);

// The package with the files of `npm pack`, in the same bytes on every machine. Entries have no
// times and no owners. Nothing is compressed, because zlib differs between processors and releases
// of Node.
const { bin, files } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
const programs = new Set(Object.values(bin));
const entries = await Promise.all(
  ['package.json', 'LICENSE', 'README.md', ...files].map(async (name) => {
    const bytes = await readFile(join(here, name));
    return [tarHeader(`package/${name}`, bytes.length, programs.has(name)), bytes, padding(bytes)];
  }),
);
const archive = Buffer.concat([...entries.flat(), Buffer.alloc(1024)]);
await writeFile(join(here, 'dist/quittance-verify.tgz'), gzipStored(archive));

/** A gzip file (RFC 1952) of stored blocks, without a time or a name of the maker's system. */
function gzipStored(bytes) {
  const parts = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])];
  for (let at = 0; at < bytes.length; at += MOST_STORED) {
    const block = bytes.subarray(at, at + MOST_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + MOST_STORED >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & 0xffff, 3);
    parts.push(head, block);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(bytes), 0);
  end.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([...parts, end]);
}

/** Fills a file up to the next block of 512 bytes. */
function padding(bytes) {
  return Buffer.alloc((512 - (bytes.length % 512)) % 512);
}

/** The block before a file, in the form of POSIX ustar. */
function tarHeader(name, size, isProgram) {
  const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(octal(isProgram ? 0o755 : 0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
