import { ServiceError } from '@/server/errors';
import { isSignature, isWalletAddress } from '@quittance/verify/wallets/base58';
import { verifyWalletSignature } from '@/server/wallets/verify-wallet-signature';
import type { RequestContext } from '../request-context';

/** A wallet that proved, in this request, that it holds its key. Only {@link readWalletProof} makes one. */
export type ProvenWallet = string & { readonly __proven: unique symbol };

/** The text a wallet signs for a transaction: `<service name>:<transaction signature>`. */
export function proofText(serviceName: string, txSignature: string): string {
  return `${serviceName}:${txSignature}`;
}

/**
 * The wallet behind the X-Wallet headers, or null when neither is there. One alone, a malformed or a
 * wrong one is a 401 whose text shows the exact string to sign.
 */
export function readWalletProof(proof: RequestContext['proof'], text: string): ProvenWallet | null {
  const { address, signature } = proof;
  if (address === null && signature === null) return null;
  if (address === null || signature === null)
    throw new ServiceError(
      'wallet_proof_missing',
      `X-Wallet-Address and X-Wallet-Signature come together, and ${address === null ? 'X-Wallet-Address' : 'X-Wallet-Signature'} is missing. Sign exactly this text with the wallet: ${text}`,
      { details: { sign: text } },
    );
  if (isProof(address, signature, text)) return address;
  throw new ServiceError(
    'wallet_proof_invalid',
    `X-Wallet-Signature is not a base58 Ed25519 signature by the wallet in X-Wallet-Address over exactly this text: ${text}`,
    { details: { sign: text } },
  );
}

/** The refusal for a request that cannot go on without a wallet. */
export function walletProofNeeded(text: string): ServiceError {
  return new ServiceError(
    'wallet_proof_missing',
    `A free receipt needs the headers X-Wallet-Address and X-Wallet-Signature of the payer or the seller. Sign exactly this text with the wallet: ${text}`,
    { details: { sign: text } },
  );
}

function isProof(address: string, signature: string, text: string): address is ProvenWallet {
  return (
    isWalletAddress(address) &&
    isSignature(signature) &&
    verifyWalletSignature({ wallet: address, signature, text })
  );
}
