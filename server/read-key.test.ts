import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readKey } from './read-key';

const isRoot = process.getuid?.() === 0;
const APP_USER = 1000;
let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'closed-'));
  chmodSync(dir, 0o755);
  file = join(dir, 'minter.json');
  writeFileSync(file, '[]', { mode: 0o600 });
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Reads the key as the user of the image. A user other than root stays the same. */
function readAsAppUser() {
  if (isRoot) process.seteuid?.(APP_USER);
  try {
    return readKey('MINTER_KEY', { NETWORK: 'mainnet', MINTER_KEY_FILE: file }, null);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

it('a key file that this process may not read is named with its owner, its mode and the remedy', () => {
  if (!isRoot) chmodSync(file, 0o000);
  const [owner, mode, user] = isRoot
    ? [0, '0600', APP_USER]
    : [process.getuid?.(), '0000', process.getuid?.()];
  expect(readAsAppUser()).toEqual({
    fault:
      `MINTER_KEY_FILE cannot be read (${file}): it belongs to user ${owner} with mode ${mode}. ` +
      `This process runs as user ${user}: chown ${user} and chmod 400 the file`,
  });
});

it('so is one in a folder that is closed', () => {
  chmodSync(dir, isRoot ? 0o700 : 0o000);
  const read = readAsAppUser();
  chmodSync(dir, 0o755);
  expect(read).toEqual({
    fault: expect.stringContaining('its folder is closed to this process'),
  });
});
