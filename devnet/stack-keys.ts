import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeEmbeddedKey, parseSecretKey, publicKeyOf } from '../server/keys';

export type KeyName = 'minter' | 'storage' | 'pay-to' | 'fee-payer';
export type KeyFile = { file: string; publicKey: string };

/** A key of the embedded stack under `<dataDir>/keys`, made on first use and kept. */
export function ensureKey(dataDir: string, name: KeyName): KeyFile {
  const file = join(dataDir, 'keys', `${name}.json`);
  if (!existsSync(file)) {
    mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
    const part = `${file}.part`;
    writeFileSync(part, JSON.stringify([...makeEmbeddedKey()]), { mode: 0o600 });
    renameSync(part, file);
  }
  const secret = parseSecretKey(readFileSync(file, 'utf8'));
  if (!secret)
    throw new Error(`${file} is not a key. Remove it, and the next start makes a new one.`);
  return { file, publicKey: publicKeyOf(secret) };
}
