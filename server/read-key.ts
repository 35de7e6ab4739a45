import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSecretKey, publicKeyOf } from './keys';

/** Settings that hold a secret key, each also as `_FILE`. */
export type KeyName = 'MINTER_KEY' | 'STORAGE_KEY' | 'FEE_PAYER_KEY';
/** Keys that the embedded stack makes in `<data folder>/keys`. */
export const EMBEDDED_KEYS = ['pay-to', 'fee-payer', 'minter', 'storage'] as const;
type KeySettings = { NETWORK: string } & Partial<Record<KeyName | `${KeyName}_FILE`, string>>;

/** Address of a key that the embedded stack keeps in this folder; null without one. */
export function embeddedAddress(
  dataDir: string,
  name: (typeof EMBEDDED_KEYS)[number],
): string | null {
  try {
    const file = join(dataDir, 'keys', `${name}.json`);
    const secret = parseSecretKey(readFileSync(/* turbopackIgnore: true */ file, 'utf8'));
    return secret && publicKeyOf(secret);
  } catch {
    return null;
  }
}

/**
 * A secret key from its setting, its file or, on `local`, where the embedded stack keeps it. A fault names
 * the setting, never what it holds.
 */
export function readKey(
  name: KeyName,
  v: KeySettings,
  embeddedFile: string | null,
): { secret: Uint8Array; publicKey: string } | { fault: string } {
  const inline = v[name];
  const file = v[`${name}_FILE`] ?? (inline === undefined ? embeddedFile : null);
  if (inline !== undefined && v[`${name}_FILE`] !== undefined)
    return { fault: `set ${name} or ${name}_FILE, not both` };
  if (inline === undefined && file === null)
    return { fault: `${name} or ${name}_FILE must be set on ${v.NETWORK}` };
  let text = inline;
  if (text === undefined) {
    try {
      text = readFileSync(/* turbopackIgnore: true */ file ?? '', 'utf8');
    } catch (error) {
      return { fault: `${name}_FILE cannot be read (${file ?? ''})${whyUnreadable(file, error)}` };
    }
  }
  const secret = parseSecretKey(text);
  if (!secret)
    return {
      fault: `${name} must be a 64-byte Solana secret key, as base58 or as a JSON array of bytes`,
    };
  return { secret, publicKey: publicKeyOf(secret) };
}

/** One fault for each two settings that hold the same key. */
export function sameKeys(keys: [name: string, publicKey: string][]): string[] {
  return keys.flatMap(([name, publicKey], at) =>
    keys
      .slice(at + 1)
      .filter(([, other]) => other !== '' && other === publicKey)
      .map(([other]) => `${name} and ${other} must be different keys`),
  );
}

/** Owner of a file that this process may not read, and the remedy; nothing for any other fault. */
function whyUnreadable(file: string | null, error: unknown): string {
  if (file === null || !(error instanceof Error && 'code' in error && error.code === 'EACCES'))
    return '';
  const user = process.geteuid?.() ?? 'unknown';
  const remedy = `This process runs as user ${user}: chown ${user} and chmod 400 the file`;
  try {
    const { uid, mode } = statSync(/* turbopackIgnore: true */ file);
    return `: it belongs to user ${uid} with mode ${(mode & 0o7777).toString(8).padStart(4, '0')}. ${remedy}`;
  } catch {
    return `: its folder is closed to this process. ${remedy}, and open the folder`;
  }
}
