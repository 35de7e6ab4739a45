import { readFileSync } from 'node:fs';
import { SETTING_NAMES } from '@/devnet/settings';
import { ENV_NAMES } from '@/server/env';
import { misplacedMarks } from '../documents/settings-section';

const SETTING = /^(?:# ?)?([A-Z][A-Z0-9_]+)=/;

/** .env.example explains every setting and nothing else, and marks the required ones. */
export function checkSettings(): string[] {
  const example = readFileSync('.env.example', 'utf8');
  const read = [...new Set([...ENV_NAMES, ...SETTING_NAMES, ...composeNames()])];
  return [...compareSettings({ example, read }), ...misplacedMarks(example)];
}

/**
 * Variables that only compose.yaml takes from .env, beside the job server's keys, which the app
 * reads too.
 */
function composeNames(): string[] {
  const compose = readFileSync('compose.yaml', 'utf8');
  return [...compose.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name = '']) => name);
}

/** A documented setting is a line `NAME=` or `# NAME=` with a comment above it. */
export function compareSettings(o: { example: string; read: string[] }): string[] {
  const lines = o.example.split('\n');
  const documented = new Map<string, number>();
  lines.forEach((line, at) => {
    const name = SETTING.exec(line)?.[1];
    if (name !== undefined) documented.set(name, at);
  });
  const bare = [...documented].filter(([, at]) => !isExplained(lines, at));
  return [
    ...o.read
      .filter((name) => !documented.has(name))
      .map((name) => `.env.example: ${name} is read but not explained; add it with a comment`),
    ...[...documented.keys()]
      .filter((name) => !o.read.includes(name))
      .map((name) => `.env.example: ${name} is read by nothing; remove it`),
    ...bare.map(([name]) => `.env.example: ${name} has no comment above it`),
  ];
}

/** Consecutive settings share the comment above them. */
function isExplained(lines: string[], at: number): boolean {
  for (let i = at - 1; i >= 0; i -= 1) {
    const line = lines[i] ?? '';
    if (!line.startsWith('#') && !SETTING.test(line)) return false;
    if (!SETTING.test(line)) return true;
  }
  return false;
}
