import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const FORBIDDEN = [
  ['server/chain/a.ts', 'server/nft/b.ts', 'modules-in-order-chain'],
  ['server/receipts/a.ts', 'server/api/b.ts', 'modules-in-order-receipts'],
  ['server/receipts/a.ts', 'server/jurisdiction/b.ts', 'jurisdiction-is-private'],
  ['server/rest/a.ts', 'server/jurisdiction/b.ts', 'jurisdiction-is-private'],
  ['server/use-cases/a.ts', 'server/api/b.ts', 'layers-in-order-use-cases'],
  ['server/use-cases/payments/a.ts', 'server/jobs/b.ts', 'layers-in-order-use-cases'],
  ['server/api/a.ts', 'server/rest/b.ts', 'layers-in-order-api'],
  ['server/api/a.ts', 'server/jobs/b.ts', 'layers-in-order-api'],
  ['server/jobs/a.ts', 'server/api/b.ts', 'layers-in-order-jobs'],
  ['server/rest/a.ts', 'server/jobs/b.ts', 'layers-in-order-rest'],
  ['server/money.ts', 'server/tokens/b.ts', 'base-below-modules'],
  ['server/db/a.ts', 'server/tokens/b.ts', 'base-below-modules'],
  ['app/page.tsx', 'server/receipts/b.ts', 'app-calls-transports'],
  ['app/page.tsx', 'server/db/b.ts', 'app-calls-transports'],
  ['server/receipts/a.ts', 'devnet/chain/b.ts', 'devnet-stays-outside'],
  ['devnet/chain/a.ts', 'server/clock.ts', 'devnet-knows-no-service'],
  ['components/a.tsx', 'server/receipts/b.ts', 'components-show-types'],
  ['server/rest/a.ts', 'app/b.tsx', 'server-below-app'],
  ['packages/verify/src/a.ts', 'server/clock.ts', 'packages-stand-alone'],
  ['packages/verify/src/a.ts', 'scripts/b.ts', 'packages-stand-alone'],
  ['server/nft/a.ts', 'node_modules/@irys/web-upload/b.ts', 'storage-library-in-one-file'],
  ['scripts/a.ts', 'node_modules/@irys/bundles/b.ts', 'storage-library-in-one-file'],
  ['devnet/one.ts', 'devnet/two.ts', 'no-cycle'],
] as const;
/** Completes the cycle, which is reported once. */
const BACK = ['devnet/two.ts', 'devnet/one.ts', 'import'] as const;
const ALLOWED = [
  ['server/receipts/a.ts', 'server/nft/b.ts', 'import'],
  ['server/api/a.ts', 'server/jurisdiction/b.ts', 'import'],
  ['app/page.tsx', 'server/rest/b.ts', 'import'],
  ['devnet/stack-keys.ts', 'server/keys.ts', 'import'],
  ['devnet/stack-keys.ts', 'packages/verify/src/ed25519.ts', 'import'],
  ['packages/verify/src/d.ts', 'packages/verify/src/money.ts', 'import'],
  ['server/receipts/a.ts', 'packages/verify/src/money.ts', 'import'],
  ['components/c.tsx', 'server/receipts/b.ts', 'import type'],
  ['server/storage/irys.ts', 'node_modules/@irys/web-upload/b.ts', 'import'],
  ['server/receipts/a.test.ts', 'devnet/chain/b.ts', 'import'],
  ['tests/a.test.ts', 'server/receipts/b.ts', 'import'],
] as const;

type Violation = { from: string; to: string; rule: { name: string } };
let violations: Violation[];

/** One small repository with every import above, under the rules of this repository. */
beforeAll(() => {
  const dir = mkdtempSync(join(tmpdir(), 'borders-'));
  copyFileSync('.dependency-cruiser.cjs', join(dir, '.dependency-cruiser.cjs'));
  const files = new Map<string, string>([
    ['tsconfig.json', JSON.stringify({ compilerOptions: { paths: { '@/*': ['./*'] } } })],
  ]);
  const forbidden = FORBIDDEN.map(([from, to]) => [from, to, 'import'] as const);
  const imports = [...forbidden, ...ALLOWED, BACK];
  imports.forEach(([from, to, kind], at) => {
    const line = `${kind} { x as x${at} } from '@/${to.replace(/\.tsx?$/, '')}';\n`;
    files.set(from, `${files.get(from) ?? ''}${line}export type X${at} = typeof x${at};\n`);
    files.set(to, files.get(to) ?? '');
  });
  for (const [file, text] of files) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), file.endsWith('.json') ? text : `${text}export const x = 1;\n`);
  }
  const tool = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const answer = execFileSync(
    process.execPath,
    [tool, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', '.'],
    { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  rmSync(dir, { recursive: true });
  violations = (JSON.parse(answer) as { summary: { violations: Violation[] } }).summary.violations;
});

const rulesBroken = (from: string, to: string) =>
  violations.filter((v) => v.from === from && v.to === to).map(({ rule }) => rule.name);

it.each(FORBIDDEN)('%s may not import %s', (from, to, rule) => {
  expect(rulesBroken(from, to)).toContain(rule);
});

it.each(ALLOWED)('%s may import %s', (from, to) => {
  expect(rulesBroken(from, to)).toEqual([]);
});
