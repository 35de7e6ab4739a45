import { verify } from 'node:crypto';
import { AddressLookupTableAccount, VersionedTransaction } from '@solana/web3.js';
import type { VersionedMessage } from '@solana/web3.js';
import { ed25519PublicKey } from '@quittance/verify/ed25519';
import type { Acct } from './emulator';
import { invalidParams } from './rpc-error';
import { preflightError } from './transaction-errors';

/** Size of the largest transaction that fits a packet. */
const MAX_WIRE_BYTES = 1232;

export type ResolvedMessage = {
  keys: string[];
  writable: boolean[];
  loaded: { writable: string[]; readonly: string[] };
  nStatic: number;
};

/**
 * Reads the bytes of a transaction. Like a node, refuses bytes that are too large or not a
 * transaction.
 */
export function decodeWire(wire: Uint8Array): VersionedTransaction {
  const kind = 'solana_transaction::versioned::VersionedTransaction';
  if (wire.length > MAX_WIRE_BYTES)
    throw invalidParams(
      `base64 encoded ${kind} too large: ${wire.length} bytes (max: encoded/raw 1644/${MAX_WIRE_BYTES})`,
    );
  try {
    return VersionedTransaction.deserialize(wire);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalidParams(`failed to deserialize ${kind}: ${why}`);
  }
}

/** All account keys of a message, those of lookup tables included, and which of them are writable. */
export function resolveMessage(
  message: VersionedMessage,
  read: (address: string) => Acct | null,
): ResolvedMessage {
  const writable: string[] = [];
  const readonly: string[] = [];
  for (const lookup of message.addressTableLookups) {
    const table = read(lookup.accountKey.toBase58());
    if (!table) throw preflightError('AddressLookupTableNotFound', [], 0);
    const { addresses } = AddressLookupTableAccount.deserialize(table.data);
    const at = (index: number) => {
      const address = addresses[index];
      if (!address) throw preflightError('InvalidAddressLookupTableIndex', [], 0);
      return address.toBase58();
    };
    writable.push(...lookup.writableIndexes.map(at));
    readonly.push(...lookup.readonlyIndexes.map(at));
  }
  return withLoadedKeys(message, { writable, readonly });
}

/** The keys of a message whose lookups are already resolved. */
export function withLoadedKeys(
  message: VersionedMessage,
  loaded: ResolvedMessage['loaded'],
): ResolvedMessage {
  const staticKeys = message.staticAccountKeys.map((key) => key.toBase58());
  const keys = [...staticKeys, ...loaded.writable, ...loaded.readonly];
  const n = staticKeys.length;
  const h = message.header;
  const isWritable = (i: number) => {
    if (i >= n) return i < n + loaded.writable.length;
    if (i < h.numRequiredSignatures)
      return i < h.numRequiredSignatures - h.numReadonlySignedAccounts;
    return i < n - h.numReadonlyUnsignedAccounts;
  };
  return { keys, writable: keys.map((_, i) => isWritable(i)), loaded, nStatic: n };
}

/** Whether every required signature is present and valid. */
export function signaturesAreGood(
  message: VersionedMessage,
  signatures: readonly Uint8Array[],
): boolean {
  if (signatures.length !== message.header.numRequiredSignatures) return false;
  const bytes = message.serialize();
  return signatures.every((signature, i) => {
    const key = message.staticAccountKeys[i];
    return key !== undefined && verifyEd25519(key.toBytes(), bytes, signature);
  });
}

function verifyEd25519(key: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(null, bytes, ed25519PublicKey(key), signature);
  } catch {
    return false; // not a point of the curve, or a signature of the wrong length
  }
}
