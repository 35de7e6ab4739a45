import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleParts } from './bundle-parts';
import { ensureGenerated } from './ensure-generated';
import { ensureVerifier } from './ensure-verifier';
import { childEnv } from './environment';
import { hashSources, isStamped } from './hash-files';

const SOURCES = [
  ...[
    'app',
    'components',
    'i18n',
    'messages',
    'server',
    'packages/verify/src',
    'public',
    'prisma/schema',
  ],
  ...['proxy.ts', 'instrumentation.ts', 'next.config.mjs', 'package-lock.json', 'tsconfig.json'],
];
const BUILD = '.next';
/**
 * Next removes the folder's other files before it builds. We write this one last, so it proves a
 * complete build.
 */
const STAMP = join(BUILD, 'sources.sha256');

/** The production build in `.next`, made when none matches the current sources. */
export async function buildApp(say: (line: string) => void): Promise<void> {
  ensureGenerated();
  // The service offers it for download, and an image cannot build it later.
  ensureVerifier();
  const hash = hashSources(SOURCES);
  if (isStamped(STAMP, hash)) return;
  say('building the app (about a minute, once for each change of the sources)');
  rmSync(STAMP, { force: true });
  await build();
  writeFileSync(STAMP, hash);
}

/**
 * {@link buildApp}, and one file for each part of the embedded stack: everything that `runService`
 * starts.
 */
export async function buildForStack(say: (line: string) => void): Promise<void> {
  await buildApp(say);
  await bundleParts();
}

/**
 * Throws when `.next` has no build, or one of other sources. An image has no stamp, because it has
 * no sources to compare.
 */
export function refuseStaleBuild(): void {
  if (!existsSync(join(BUILD, 'BUILD_ID')))
    throw new Error('There is no build of the app: run npm run build first.');
  if (existsSync(STAMP) && !isStamped(STAMP, hashSources(SOURCES)))
    throw new Error('The build of the app is older than its sources: run npm run build first.');
}

async function build(): Promise<void> {
  let output = '';
  const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    env: childEnv({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0)
    throw new Error(`next build failed:\n${output.trim().split('\n').slice(-60).join('\n')}`);
}
