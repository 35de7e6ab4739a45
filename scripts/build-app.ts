import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@/devnet/postgres/find-running';
import { childEnv } from '@/devnet/settings';
import { ensureGenerated } from './ensure-generated';
import { ensureVerifier } from './ensure-verifier';
import { hashSources } from './hash-files';

const SOURCES = [
  ...['app', 'components', 'server', 'packages/verify/src', 'public', 'generated/prisma'],
  ...['proxy.ts', 'instrumentation.ts', 'next.config.mjs', 'package-lock.json', 'tsconfig.json'],
];
/** Where Next builds; what it keeps there between builds stays. */
const WORKSHOP = '.next';
const STAYS = ['cache', 'dev', 'types'];
const LOCK = '.next-building';

/**
 * The folder of the production build of the sources as they are now, for NEXT_DIST_DIR; built when there
 * is none. Each state of the sources has its own folder, so a running server keeps the one it serves;
 * folders that no running process uses are removed.
 */
export async function buildApp(say: (line: string) => void): Promise<string> {
  // An image brings its build, on a file system that cannot be written.
  const brought = childEnv({})['QUITTANCE_BUILD'];
  if (brought !== undefined && brought !== '') return brought;
  ensureGenerated();
  // The service gives it away, and an image has nothing to build it with later.
  ensureVerifier();
  const distDir = `.next-${hashSources(SOURCES)}`;
  if (!existsSync(distDir)) {
    await lock();
    try {
      if (!existsSync(distDir)) await build(distDir, say);
    } finally {
      rmSync(LOCK, { force: true });
    }
  }
  holdBuild(distDir, process.pid);
  removeUnused(distDir);
  return distDir;
}

/** Keeps a build folder for as long as a process lives. */
export function holdBuild(distDir: string, pid: number): void {
  const users = join(distDir, 'used-by');
  mkdirSync(users, { recursive: true });
  writeFileSync(join(users, String(pid)), '');
}

async function build(distDir: string, say: (line: string) => void): Promise<void> {
  say('building the app (about a minute, once for each change of the sources)');
  let output = '';
  const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    env: childEnv({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NEXT_DIST_DIR: '' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0)
    throw new Error(`next build failed:\n${output.trim().split('\n').slice(-60).join('\n')}`);
  const part = `${distDir}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part);
  for (const name of readdirSync(WORKSHOP).filter((entry) => !STAYS.includes(entry)))
    renameSync(join(WORKSHOP, name), join(part, name));
  renameSync(part, distDir);
}

/** Two starts at once build one after the other; the second then finds the folder. */
async function lock(): Promise<void> {
  for (;;) {
    try {
      return writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    } catch {
      const holder = existsSync(LOCK) ? Number(readFileSync(LOCK, 'utf8')) : 0;
      if (holder > 0 && !isAlive(holder)) rmSync(LOCK, { force: true });
      await sleep(200);
    }
  }
}

function removeUnused(current: string): void {
  for (const name of readdirSync('.').filter((entry) => /^\.next-[0-9a-f]{12}/.test(entry))) {
    const users = existsSync(join(name, 'used-by')) ? readdirSync(join(name, 'used-by')) : [];
    const living = users.filter((pid) => isAlive(Number(pid)));
    for (const pid of users) if (!living.includes(pid)) rmSync(join(name, 'used-by', pid));
    if (name !== current && living.length === 0) rmSync(name, { recursive: true, force: true });
  }
}
