import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder for the calling test, removed when that test ends. */
export function tempFolder(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), `quittance-${name}-`));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
