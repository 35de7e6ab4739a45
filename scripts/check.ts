import { checkBorders } from './checks/check-borders';
import { checkCommands } from './checks/check-commands';
import { checkDecisions } from './checks/check-decisions';
import { checkErrors } from './checks/check-errors';
import { checkFiles } from './checks/check-files';
import { checkLicences } from './checks/check-licences';
import { checkLinks } from './checks/check-links';
import { checkSettings } from './checks/check-settings';
import { checkWalk } from './checks/check-walk';
import { checkWords } from './checks/check-words';
import { checkWriters } from './checks/check-writers';
import { listFiles } from './checks/list-files';
import { faultsOf } from './checks/run-tool';
import { ensureGenerated } from './ensure-generated';

const files = listFiles();

/**
 * Each check returns its faults, one line each. An empty list means that it passed. The slowest
 * come first.
 */
const CHECKS: Record<string, () => string[] | Promise<string[]>> = {
  types: async () => {
    const generated = await faultsOf('node_modules/next/dist/bin/next', ['typegen']);
    if (generated.length > 0) return generated;
    return faultsOf('node_modules/typescript/bin/tsc', ['--noEmit', '--project', '.']);
  },
  lint: () =>
    faultsOf('node_modules/eslint/bin/eslint.js', [
      ...['--max-warnings', '0', '--cache', '--cache-location', 'node_modules/.cache/eslint/', '.'],
    ]),
  borders: checkBorders,
  formatting: () =>
    faultsOf('node_modules/prettier/bin/prettier.cjs', [
      ...['--check', '--log-level', 'warn', '--cache', '.'],
    ]),
  'unused code': () => faultsOf('node_modules/knip/bin/knip.js', ['--no-progress']),
  files: () => checkFiles(files),
  // Loads the service and its database client, which exists by then.
  operations: async () => (await import('./checks/check-operations')).checkOperations(files),
  'generated parts of documents': async () =>
    (await import('./checks/check-documents')).checkDocuments(),
  settings: checkSettings,
  licences: checkLicences,
  'walk through the code': checkWalk,
  'links of documents': () => checkLinks(files),
  'commands of documents': () => checkCommands(files),
  decisions: () => checkDecisions(files),
  errors: () => checkErrors(files),
  'writers of tables': () => checkWriters(files),
  words: () => checkWords(files),
};

/** As many at once as two cores can run. */
const WIDTH = 2;

ensureGenerated();
const queue = Object.entries(CHECKS);
let failed = 0;
await Promise.all(Array.from({ length: WIDTH }, work));
process.exitCode = failed === 0 ? 0 : 1;

async function work(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, check] = next;
    const started = performance.now();
    const faults = await check();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    for (const fault of faults) console.log(`       ${fault}`);
    if (faults.length > 0) failed += 1;
  }
}
