import type { Wallet } from './wallet';

/** POST /mint as a wallet's owner sends it. Without a wallet, it has no proof. */
export function askForReceipt(
  baseUrl: string,
  o: {
    txSignature: string;
    wallet?: Wallet;
    /** Replaces or adds fields of the body and headers. */
    body?: Record<string, unknown>;
    headers?: Record<string, string>;
  },
): Promise<Response> {
  const proof = o.wallet && {
    'x-wallet-address': o.wallet.address,
    'x-wallet-signature': o.wallet.signText(`quittance:${o.txSignature}`),
  };
  return fetch(new URL('/mint', baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...proof, ...o.headers },
    body: JSON.stringify({
      tx_signature: o.txSignature,
      service_type: 'API access',
      ...o.body,
    }),
  });
}
