import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    // A zone far from UTC with a half hour: a forgotten time zone fails.
    env: { TZ: 'Asia/Kathmandu', LOG_LEVEL: 'silent' },
    allowOnly: false,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{server,devnet,scripts,prisma,components,tests/harness}/**/*.test.{ts,tsx}'],
          globalSetup: ['tests/harness/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          // Whole services mostly wait: for slots, for finality, for a process to come back.
          maxWorkers: 3,
          include: ['tests/*.test.ts'],
          globalSetup: ['tests/harness/global-setup.ts', 'tests/harness/build-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          globalSetup: ['tests/harness/global-setup.ts', 'tests/harness/build-setup.ts'],
          testTimeout: 150_000,
        },
      },
    ],
  },
});
