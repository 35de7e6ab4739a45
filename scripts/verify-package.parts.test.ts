import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const packed = z.array(
  z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'quittance-pack-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Packs a copy of the package and installs it into an empty folder, as somebody without the repository would. */
function installElsewhere(): { files: string[]; bin: string } {
  const source = join(dir, 'source/packages/verify');
  mkdirSync(source, { recursive: true });
  cpSync('packages/verify', source, { recursive: true, filter: (path) => !path.endsWith('/dist') });
  symlinkSync(resolve('node_modules'), join(source, '../../node_modules'));
  const json = execFileSync('npm', ['pack', '--json', '--pack-destination', dir], {
    cwd: source,
    encoding: 'utf8',
  });
  const [one] = packed.parse(JSON.parse(json.slice(json.indexOf('[\n'))));
  const empty = join(dir, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{"private":true}');
  execFileSync(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', join(dir, one?.filename ?? '')],
    {
      cwd: empty,
    },
  );
  return {
    files: one?.files.map(({ path }) => path).sort() ?? [],
    bin: join(empty, 'node_modules/.bin/quittance-verify'),
  };
}

describe('the package of the offline verifier', () => {
  it('runs in an empty folder without a network, from one file without dependencies', () => {
    const { files, bin } = installElsewhere();
    expect(files).toEqual(['LICENSE', 'README.md', 'dist/quittance-verify.mjs', 'package.json']);
    expect(
      readdirSync(join(dir, 'empty/node_modules')).filter((name) => !name.startsWith('.')),
    ).toEqual(['@quittance']);
    const told = execFileSync(bin, ['--help'], { cwd: join(dir, 'empty'), encoding: 'utf8' });
    expect(told).toContain('quittance-verify <proof> [--issuer <keys>] --rpc <url>');
    const manifest: unknown = JSON.parse(readFileSync('packages/verify/package.json', 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
  }, 120_000);
});
