import { createHash } from 'node:crypto';
import { decodeWire, type WireTransaction } from '@quittance/verify/chain/decode-wire';
import { isMemoProgram, SYSTEM } from '@quittance/verify/chain/programs';
import { isSignature } from '@quittance/verify/wallets/base58';
import { z } from 'zod';
import type { Payment } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';

/** A payment as a client presents it: the signature of one it made, or one for us to settle. */
export type DocumentedPayment = { dialect: 'documented'; signature: string };
export type ExactPayment = {
  dialect: 'v1' | 'v2';
  version: 1 | 2;
  /** Decoded JSON of the header. */
  payload: unknown;
  messageHash: string;
  memos: string[];
};
export type PresentedPayment = DocumentedPayment | ExactPayment;

/** Clients send 0.9 to 3.8 KB; Node takes 16 KB for all headers together. */
const MOST_HEADER_BYTES = 8 * 1024;
/** x402 headers are standard base64 with padding (x402 transports-v2/http.md). */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const envelope = z.looseObject({
  x402Version: z.union([z.literal(1), z.literal(2)]),
  payload: z.looseObject({ transaction: z.base64().min(1) }),
});

/**
 * The payment that came with a request, or null without one. PAYMENT-SIGNATURE wins; X-Payment is recognised
 * apart by its content: a transaction signature, or base64 of x402 JSON. Throws 400 for anything else.
 */
export function readPaymentHeader(o: {
  paymentSignature: string | null;
  xPayment: string | null;
}): PresentedPayment | null {
  const [name, value] =
    o.paymentSignature === null
      ? ['X-Payment', o.xPayment?.trim() ?? null]
      : ['PAYMENT-SIGNATURE', o.paymentSignature.trim()];
  if (value === null) return null;
  if (value.length > MOST_HEADER_BYTES)
    throw unreadable(name, `is longer than ${MOST_HEADER_BYTES} bytes`);
  if (name === 'X-Payment' && isSignature(value))
    return { dialect: 'documented', signature: value };
  const json = BASE64.test(value) ? parseJson(Buffer.from(value, 'base64').toString('utf8')) : null;
  if (json === null) throw unreadable(name, 'is neither');
  const parsed = envelope.safeParse(json);
  if (!parsed.success)
    throw unreadable(name, 'is JSON without x402Version 1 or 2 and payload.transaction');
  const message = readWireMessage(Buffer.from(parsed.data.payload.transaction, 'base64'));
  if (!message) throw unreadable(name, 'holds a payload.transaction that is no Solana transaction');
  const version = parsed.data.x402Version;
  const { messageHash, memos } = message;
  return { dialect: version === 1 ? 'v1' : 'v2', version, payload: json, messageHash, memos };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unreadable(name: string, what: string): ServiceError {
  return new ServiceError(
    'payment_unreadable',
    `The payment cannot be read: ${name} ${what}. X-Payment takes the base58 signature of the transaction that paid, or the base64 of x402 version 1 JSON. PAYMENT-SIGNATURE takes the base64 of x402 version 2 JSON. Nothing was charged.`,
  );
}

export type WireMessage = {
  transaction: WireTransaction;
  /** The bytes that its signers sign. */
  message: Uint8Array;
  /** Hex sha256 of the message bytes: the same payment whatever is in the signature slots. */
  messageHash: string;
  /** Texts of its top-level memo instructions. */
  memos: string[];
};

const SIGNATURE_BYTES = 64;
/** Tag of the system program's AdvanceNonceAccount (solana-system-interface, src/instruction.rs). */
const ADVANCE_NONCE = 4;

/** Reads a (partly) signed transaction in wire format; null when the bytes are no transaction. */
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
 * Whether a transaction begins by advancing a nonce. Such a transaction may land at any time
 * instead of within the life of a blockhash, so its end is unknown.
 */
export function hasDurableNonce({ instructions, staticKeys }: WireTransaction): boolean {
  const [first] = instructions;
  if (!first || staticKeys[first.programIndex] !== SYSTEM) return false;
  return first.data.length >= 4 && Buffer.from(first.data).readUInt32LE(0) === ADVANCE_NONCE;
}

/** A payment as we signed it. It may be sent any number of times. */
export type SignedPayment = { wire: Uint8Array; signature: string; lastValidBlockHeight: bigint };

/** The signed payment that is on record, or null if we have not signed it yet. */
export function storedWire({
  wire,
  signature,
  lastValidBlockHeight,
}: Pick<Payment, 'wire' | 'signature' | 'lastValidBlockHeight'>): SignedPayment | null {
  if (!wire || signature === null || lastValidBlockHeight === null) return null;
  return { wire, signature, lastValidBlockHeight };
}
