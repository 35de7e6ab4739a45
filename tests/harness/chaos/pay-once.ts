import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@solana/web3.js';
import bs58 from 'bs58';
import { buildTokenPayment, type TokenPayment } from '@/devnet/client/pay-token';
import { insist } from '../insist';

const LOOK_MS = 200;

/**
 * Pays exactly once, through any crash. It sends the signed transaction again and again, and signs
 * no other before this one can no longer land. Returns the signature, confirmed.
 */
export async function payOnce(
  rpcUrl: string,
  payment: TokenPayment,
  patienceMs: number,
): Promise<string> {
  // A customer's own node has no gaps, so that the customer does not pay twice.
  const connection = new Connection(new URL('/?whole', rpcUrl).href, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
  });
  return insist(`a payment of ${payment.from.address}`, patienceMs, async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    const transaction = buildTokenPayment(payment);
    transaction.recentBlockhash = blockhash;
    transaction.feePayer = payment.from.keypair.publicKey;
    transaction.sign(payment.from.keypair);
    const signature = bs58.encode(transaction.signature ?? new Uint8Array());
    const bytes = transaction.serialize();
    return insist(signature, patienceMs, async () => {
      const fate = await readFate(connection, signature, lastValidBlockHeight);
      if (fate === 'landed') return { signature };
      if (fate === 'expired') return { signature: null };
      await connection.sendRawTransaction(bytes, { skipPreflight: true }).catch(() => undefined);
      await sleep(LOOK_MS);
      return null;
    }).then((settled) => settled.signature);
  });
}

/**
 * The result of a signature. It counts as expired only by a height that was read before the status.
 */
async function readFate(
  connection: Connection,
  signature: string,
  lastValidBlockHeight: number,
): Promise<'landed' | 'expired' | 'unknown'> {
  const height = await connection.getBlockHeight('finalized');
  const { value } = await connection.getSignatureStatus(signature, {
    searchTransactionHistory: true,
  });
  if (value?.err) throw new Error(`transaction failed: ${JSON.stringify(value.err)}`);
  if (value && value.confirmationStatus !== 'processed') return 'landed';
  return !value && height > lastValidBlockHeight ? 'expired' : 'unknown';
}
