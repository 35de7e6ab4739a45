import {
  constants,
  createPrivateKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deepHash, stringToBuffer } from '@irys/bundles/node';
import { makeEmbeddedKey, parseSecretKey, publicKeyOf } from '@/server/keys';
import { writeDurably } from './durable-file';
import type { ItemRecord } from './item-store';

export type NodeKeys = {
  /** Base64url RSA modulus that receipts are checked against. The exponent is 65537. */
  modulus: string;
  /** Solana address that funding transfers go to. */
  address: string;
  signReceipt(o: { id: string; timestamp: number; height: number }): Promise<ItemRecord['receipt']>;
};

/**
 * The real nodes' keys have 4,096 bits. A 2,048-bit key is made in a fraction of the time at a
 * first start, and signs five times as fast. The same code checks it, and this key protects nothing
 * of value.
 */
const RSA_BITS = 2048;
const RECEIPT_VERSION = '1.0.0';
/** Blocks within which a receipt promises the item to be final. */
const DEADLINE_BLOCKS = 200;

/** The node's two keys, made at the first start and kept. */
export async function openNodeKeys(dir: string): Promise<NodeKeys> {
  const pem = await keep(join(dir, 'receipt-key.pem'), () =>
    generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  );
  const funding = parseSecretKey(
    await keep(join(dir, 'funding-key.json'), () => JSON.stringify([...makeEmbeddedKey()])),
  );
  if (!funding) throw new Error(`${join(dir, 'funding-key.json')} is not a key; remove it`);
  const key = createPrivateKey(pem);
  const modulus = key.export({ format: 'jwk' }).n ?? '';
  return {
    modulus,
    address: publicKeyOf(funding),
    signReceipt: async ({ id, timestamp, height }) => {
      const deadlineHeight = height + DEADLINE_BLOCKS;
      const parts = ['Bundlr', RECEIPT_VERSION, id, String(deadlineHeight), String(timestamp)];
      return {
        id,
        timestamp,
        version: RECEIPT_VERSION,
        public: modulus,
        signature: signPss(key, await deepHash(parts.map((part) => stringToBuffer(part)))),
        deadlineHeight,
        block: deadlineHeight,
        validatorSignatures: [],
      };
    },
  };
}

function signPss(key: KeyObject, message: Uint8Array): string {
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return sign('sha256', message, { key, padding }).toString('base64url');
}

async function keep(path: string, make: () => string): Promise<string> {
  if (!existsSync(path)) await writeDurably(path, make());
  return readFile(path, 'utf8');
}
