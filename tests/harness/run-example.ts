import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnv } from '@/scripts/environment';

/** Below it the packages that an example imports are found. */
const CACHE = 'node_modules/.cache';
const TSX = ['--import', 'tsx'];

const LANGUAGES = {
  curl: { file: 'example.sh', command: ['sh'] },
  typescript: { file: 'example.mts', command: [process.execPath, ...TSX] },
  python: { file: 'example.py', command: ['python3'] },
} as const;
export type Language = keyof typeof LANGUAGES;

/** Whether this machine can run examples in a language. */
export function canRun(language: Language): boolean {
  const [program] = LANGUAGES[language].command;
  return spawnSync(program, ['--version'], { env: childEnv({}) }).error === undefined;
}

/**
 * Runs an example unchanged, with `spl-token` and `solana` beside it, and returns the JSON that it
 * prints.
 */
export async function runExample(o: {
  language: Language;
  code: string;
  env: Record<string, string>;
}): Promise<Record<string, unknown>> {
  const { file, command } = LANGUAGES[o.language];
  mkdirSync(CACHE, { recursive: true });
  const dir = mkdtempSync(resolve(CACHE, 'example-'));
  writeFileSync(join(dir, file), o.code);
  for (const name of ['spl-token', 'solana']) {
    const tool = [process.execPath, ...TSX, resolve(`tests/harness/${name}.fixture.ts`)];
    const script = `#!/bin/sh\nexec ${tool.join(' ')} "$@"\n`;
    writeFileSync(join(dir, name), script, { mode: 0o755 });
  }
  const [program, ...flags] = command;
  const env = childEnv(o.env);
  const child = spawn(program, [...flags, join(dir, file)], {
    env: { ...env, PATH: [dir, env['PATH'] ?? ''].join(delimiter) },
  });
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  rmSync(dir, { recursive: true, force: true });
  try {
    return JSON.parse(printed) as Record<string, unknown>;
  } catch {
    throw new Error(`the example in ${o.language} printed:\n${printed}\n${complaints}`);
  }
}
