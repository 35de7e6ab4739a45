import { isWalletAddress } from '@quittance/verify/wallets/base58';

export type ProofHeaders = { address: string | null; signature: string | null };

/**
 * The wallet headers of a request. A lone address that is no Solana address is as if it were not there:
 * one common client sends its EVM address with every request. A lone Solana address stays, and is refused.
 */
export function readProofHeaders(headers: { get(name: string): string | null }): ProofHeaders {
  const address = headers.get('x-wallet-address');
  const signature = headers.get('x-wallet-signature');
  const isForeign = signature === null && address !== null && !isWalletAddress(address.trim());
  return { address: isForeign ? null : address, signature };
}
