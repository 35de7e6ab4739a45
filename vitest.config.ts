import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const UNIT =
  '{server,packages,devnet,scripts,prisma,components,i18n,operation,tests/harness}/**/*.test.{ts,tsx}';
/** Tests of programs and of parts of the embedded stack, and other tests that take many seconds. */
const PARTS = '{server,devnet,scripts,operation,prisma}/**/*.parts.test.ts';

/** Files that take minutes. If they began last, idle workers would wait for them. */
const LONG = [
  'tests/plain-service',
  'tests/kills',
  'tests/payment-kills',
  'tests/chaos',
  'tests/clocks',
  'tests/keys',
  'tests/process',
  'tests/node-gaps',
  'tests/rebuild',
  'tests/payments-settled',
  'tests/purchases',
  'tests/strangers',
  'tests/payments',
  'devnet/runner/survive-faults.parts',
  'devnet/runner/run-functions.parts',
  'devnet/runner/sync-app.parts',
];

/** Begins the long files first, because a fresh clone has no times of an earlier run. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place < 0 ? LONG.length : place;
    };
    const sorted = await super.sort(files);
    return [...sorted].sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: {
    alias: {
      '@quittance/verify': fileURLToPath(new URL('packages/verify/src', import.meta.url)),
      '@': fileURLToPath(new URL('.', import.meta.url)),
    },
  },
  test: {
    // UTC+05:45, so that a forgotten time zone fails.
    env: { TZ: 'Asia/Kathmandu', LOG_LEVEL: 'silent' },
    allowOnly: false,
    pool: 'forks',
    setupFiles: ['tests/harness/fetch-setup.ts'],
    globalSetup: ['tests/harness/global-setup.ts'],
    // Files mostly wait: for the database, slots, finality, or a process that restarts.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // No test is about speed. These end only what would never end, on a slow machine too.
    testTimeout: 180_000,
    hookTimeout: 480_000,
    expect: { poll: { timeout: 90_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Imports are loaded once for all files of a worker, because they would take half of the time.
          isolate: false,
          include: [UNIT],
          exclude: [PARTS],
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          isolate: false,
          include: [PARTS],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          // Imports are loaded once for all files of a worker, like in the unit tests.
          isolate: false,
          include: ['tests/*.test.ts'],
          globalSetup: ['tests/harness/build-setup.ts'],
        },
      },
    ],
  },
});
