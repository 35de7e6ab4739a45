// Joins the verifier into one file, dist/quittance-verify.mjs, and refuses code from outside this package.
import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const outfile = fileURLToPath(new URL('dist/quittance-verify.mjs', import.meta.url));

/** CommonJS packages expect these three names in the file they are bundled into. */
const COMMONJS = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n');

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ['src/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Its variant without native code: no file beside the bundle, no warning about a missing one.
  alias: { 'bigint-buffer': 'bigint-buffer/dist/browser.js' },
  // Faster variants that `ws` uses when they are installed; it asks for them in a try block.
  external: ['bufferutil', 'utf-8-validate'],
  banner: { js: `#!/usr/bin/env node\n${COMMONJS}` },
  legalComments: 'inline',
  metafile: true,
  logLevel: 'error',
});
const outside = Object.keys(metafile.inputs).filter(
  (input) => !input.startsWith('src/') && !input.includes('node_modules/'),
);
if (outside.length > 0)
  throw new Error(
    `packages/verify must not import ${outside.join(', ')}: move it into packages/verify/src`,
  );
await chmod(outfile, 0o755);
