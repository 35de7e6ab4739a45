import { createHash } from 'node:crypto';
import { decodeWire, type WireTransaction } from '@quittance/verify/chain/decode-wire';
import { isMemoProgram, SYSTEM } from '@quittance/verify/chain/programs';

export type WireMessage = {
  transaction: WireTransaction;
  /** What its signers sign. */
  message: Uint8Array;
  /** Hex sha256 of the message bytes: the same payment whatever stands in the signature slots. */
  messageHash: string;
  /** Texts of its top-level memo instructions. */
  memos: string[];
};

const SIGNATURE_BYTES = 64;
/** Tag of the system program's AdvanceNonceAccount (solana-system-interface, src/instruction.rs). */
const ADVANCE_NONCE = 4;

/** Reads a (partly) signed transaction as it goes over the wire; null when it is none. */
export function readWireMessage(wire: Uint8Array): WireMessage | null {
  const transaction = decodeWire(wire);
  // Up to 127 signatures, their count is one byte; a transaction of 1232 bytes holds fewer.
  if (!transaction || transaction.signatures.length > 127) return null;
  const message = wire.subarray(1 + transaction.signatures.length * SIGNATURE_BYTES);
  const memos = transaction.instructions.flatMap(({ programIndex, data }) =>
    isMemoProgram(transaction.staticKeys[programIndex]) ? [Buffer.from(data).toString('utf8')] : [],
  );
  const messageHash = createHash('sha256').update(message).digest('hex');
  return { transaction, message, messageHash, memos };
}

/**
 * Whether a transaction begins by advancing a nonce, so that it may land at any time instead of within the
 * life of a blockhash: nothing about when it ends can be said.
 */
export function hasDurableNonce({ instructions, staticKeys }: WireTransaction): boolean {
  const [first] = instructions;
  if (!first || staticKeys[first.programIndex] !== SYSTEM) return false;
  return first.data.length >= 4 && Buffer.from(first.data).readUInt32LE(0) === ADVANCE_NONCE;
}
