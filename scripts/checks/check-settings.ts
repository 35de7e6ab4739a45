import { readFileSync } from 'node:fs';
import { SETTING_NAMES } from '@/devnet/settings';
import { ENV_NAMES } from '@/server/env';

const PAGE = 'docs/settings.md';
const SETTING = /^(?:# ?)?([A-Z][A-Z0-9_]+)=/;

/** Every setting is explained in .env.example, those of the service in docs/settings.md too, and nothing else is. */
export function checkSettings(): string[] {
  return [
    ...compareSettings({
      example: readFileSync('.env.example', 'utf8'),
      read: [...new Set([...ENV_NAMES, ...SETTING_NAMES, ...composeNames()])],
    }),
    ...compareSettingsPage({ page: readFileSync(PAGE, 'utf8'), read: ENV_NAMES }),
  ];
}

/** A setting on the page begins a point of a list, alone or with others: "- `A`, `B`: what they are". */
export function compareSettingsPage(o: { page: string; read: string[] }): string[] {
  const heads = o.page.split('\n').flatMap((line) => /^- (`[^:]*`):/.exec(line)?.[1] ?? []);
  const named = heads.flatMap((head) =>
    [...head.matchAll(/`([A-Z0-9_]+)`/g)].map(([, n = '']) => n),
  );
  return [
    ...o.read
      .filter((name) => !named.includes(name))
      .map((name) => `${PAGE}: ${name} is read but not listed; add a point for it`),
    ...named
      .filter((name) => !o.read.includes(name))
      .map((name) => `${PAGE}: ${name} is read by nothing in the service; remove it`),
  ];
}

/** What compose.yaml takes from .env by itself, beside the keys of the job server that the app reads too. */
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

/** Settings directly below one another share the comment above them. */
function isExplained(lines: string[], at: number): boolean {
  for (let i = at - 1; i >= 0; i -= 1) {
    const line = lines[i] ?? '';
    if (!line.startsWith('#') && !SETTING.test(line)) return false;
    if (!SETTING.test(line)) return true;
  }
  return false;
}
