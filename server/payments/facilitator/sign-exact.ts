import { sign } from 'node:crypto';
import bs58 from 'bs58';
import { decodeWire } from '@/server/chain/decode-wire';
import { ed25519PrivateKey } from '@/server/ed25519';
import { facilitatorParts, type FacilitatorParts } from './facilitator-parts';

const SIGNATURE_BYTES = 64;
const SEED_BYTES = 32;
/** A node may know a later block than the one that is asked; up to this many it is still judged rightly. */
const MARGIN_BLOCKS = 64n;

/**
 * Signs a verified payment as its fee payer, and says until when it can land: its blockhash was known when
 * it was verified, so it ends no later than the newest one does now. Sends nothing. Throws RpcUnavailable,
 * and Error for bytes that verifyExact has not let through.
 */
export async function signExact(
  o: { wire: Uint8Array },
  { rpc, feePayer }: FacilitatorParts = facilitatorParts(),
): Promise<{ wire: Uint8Array; signature: string; lastValidBlockHeight: bigint }> {
  const transaction = decodeWire(o.wire);
  if (transaction?.staticKeys[0] !== feePayer.publicKey)
    throw new Error('the fee payer of this transaction is another key');
  const { lastValidBlockHeight } = await rpc.getLatestBlockhash();
  const wire = new Uint8Array(o.wire);
  const message = wire.subarray(1 + transaction.signatures.length * SIGNATURE_BYTES);
  const key = ed25519PrivateKey(feePayer.secret.subarray(0, SEED_BYTES));
  const signature = sign(null, message, key);
  wire.set(signature, 1);
  return {
    wire,
    signature: bs58.encode(signature),
    lastValidBlockHeight: lastValidBlockHeight + MARGIN_BLOCKS,
  };
}
