import { sign } from 'node:crypto';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import { callRpc } from '@/devnet/client/call-rpc';
import type { Wallet } from '@/devnet/client/wallet';

/** A transaction with the signature of its payer, both base64. */
export function signWire(base64: string, { keypair }: Wallet): string {
  const wire = Buffer.from(base64, 'base64');
  const count = wire[0] ?? 0;
  const message = wire.subarray(1 + 64 * count);
  // The payer of a transaction is its first account and signs in the first slot.
  wire.set(sign(null, message, ed25519PrivateKey(keypair.secretKey)), 1);
  return wire.toString('base64');
}

/** Signs and sends a transaction, like a wallet with its own node. Returns the signature. */
export async function sendWire(rpcUrl: string, base64: string, wallet: Wallet): Promise<Buffer> {
  const signed = signWire(base64, wallet);
  await callRpc(rpcUrl, 'sendTransaction', [
    signed,
    { encoding: 'base64', preflightCommitment: 'confirmed' },
  ]);
  return Buffer.from(signed, 'base64').subarray(1, 65);
}
