import next from 'eslint-config-next';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const noEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Settings are read in server/env.ts (app) or devnet/settings.ts (embedded stack) only.',
};
const noMachineTime = [
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.object.name='Date'][callee.property.name='now']",
].map((selector) => ({
  selector,
  message:
    'The clock of the machine may be wrong. Take the time from the clock of the service (service.clock), and elapsed time from performance.now().',
}));
const noCast = {
  selector: "TSAsExpression:not([typeAnnotation.typeName.name='const'])",
  message: 'Parse with zod, narrow the type, or use trusted() of server/trusted.ts with a reason.',
};

const noLiteralSpread = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the properties out: a spread literal turns off the check for unknown properties.',
};

export default tseslint.config(
  {
    ignores: [
      '.next*/**',
      'coverage/**',
      'playwright-report/**',
      'test-results/**',
      '.data/**',
      'generated/**',
      'packages/*/dist/**',
      'next-env.d.ts',
      'node_modules/**',
    ],
  },
  ...next,
  ...tseslint.configs.strict,
  {
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', noLiteralSpread],
    },
  },
  {
    files: [
      'server/**/*.ts',
      'server/**/*.tsx',
      'app/**/*.ts',
      'app/**/*.tsx',
      'components/**/*.tsx',
    ],
    ignores: ['**/*.test.ts', '**/*.test.tsx'],
    rules: { 'no-restricted-syntax': ['error', noEnv, noCast, noLiteralSpread] },
  },
  {
    files: ['server/**/*.test.ts'],
    rules: { 'max-lines': ['error', { max: 400 }] },
  },
  {
    // Unit tests share loaded modules, so a replaced module would stay for the next file.
    files: ['**/*.test.ts', '**/*.test.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        noLiteralSpread,
        {
          selector:
            "CallExpression[callee.object.name='vi'][callee.property.name=/^(mock|doMock)$/]",
          message: 'Replace the function with standIn() of tests/harness/stand-in.ts.',
        },
      ],
    },
  },
  {
    files: ['server/**/*.ts', 'app/**/*.ts', 'app/**/*.tsx'],
    ignores: [
      ...['**/*.test.ts', '**/*.test.tsx', '**/*.fixture.ts'],
      // These files are the border to the machine's clock.
      ...['server/clock.ts', 'server/db/database-clock.ts', 'server/trusted.ts', 'server/env.ts'],
    ],
    rules: { 'no-restricted-syntax': ['error', noEnv, noCast, ...noMachineTime, noLiteralSpread] },
  },
  {
    files: ['server/env.ts', 'devnet/settings.ts', 'instrumentation.ts'],
    rules: { 'no-restricted-syntax': ['error', noLiteralSpread] },
  },
  {
    files: ['server/trusted.ts'],
    rules: { 'no-restricted-syntax': ['error', noEnv, noLiteralSpread] },
  },
  {
    files: [
      'packages/verify/build.mjs',
      'packages/verify/src/main.ts',
      'packages/verify/src/cli/*.ts',
      'devnet/**/*.ts',
      'scripts/**/*.ts',
      'bench/**/*.ts',
      'tests/**/*.ts',
      'e2e/**/*.ts',
      'prisma/**/*.ts',
    ],
    rules: { 'no-console': 'off', 'max-lines': ['error', { max: 400 }] },
  },
  prettier,
);
