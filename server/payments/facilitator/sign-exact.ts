import { sign } from 'node:crypto';
import bs58 from 'bs58';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import { MARGIN_BLOCKS } from '@/server/chain/landing-margin';
import { readWireMessage } from '../wire-message';
import { facilitatorParts, type FacilitatorParts } from './facilitator-parts';
import { scanWire } from './scan-wire';

/**
 * Signs a verified payment as its fee payer, and says until when it can land: its blockhash was known when
 * it was verified, so it ends no later than the newest one does now. Sends nothing. Throws RpcUnavailable,
 * and Error for bytes that verifyExact has not let through.
 */
export async function signExact(
  o: { wire: Uint8Array },
  { rpc, feePayer }: FacilitatorParts = facilitatorParts(),
): Promise<{ wire: Uint8Array; signature: string; lastValidBlockHeight: bigint }> {
  const read = readWireMessage(o.wire);
  if (read?.transaction.staticKeys[0] !== feePayer.publicKey)
    throw new Error('the fee payer of this transaction is another key');
  // The key signs here and nowhere else, so the list of what it may sign is asked here once more.
  const reason = scanWire(read.transaction, feePayer.publicKey);
  if (reason !== null) throw new Error(`the fee payer does not sign this transaction: ${reason}`);
  const { lastValidBlockHeight } = await rpc.getLatestBlockhash();
  const wire = new Uint8Array(o.wire);
  const signature = sign(null, read.message, ed25519PrivateKey(feePayer.secret));
  wire.set(signature, 1);
  return {
    wire,
    signature: bs58.encode(signature),
    lastValidBlockHeight: lastValidBlockHeight + MARGIN_BLOCKS,
  };
}
