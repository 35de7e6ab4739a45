import { TRPCClientError } from '@trpc/client';
import { failureOf } from '../api-client';
import { isRejection } from './signer';
import { WalletSilent } from './wallet-wait';

/** A wallet's "no", or its silence, in words; null for every other error. */
function refusalWords(error: unknown, wallet: string): string | null {
  if (error instanceof WalletSilent)
    return `${error.message} Nothing was signed. Open ${wallet} and try again.`;
  if (isRejection(error))
    return `You rejected the request in ${wallet}. You can try again at any time.`;
  return null;
}

/** Why a step that the wallet and the service take together failed, in words. */
export function failureWords(error: unknown, wallet: string): string {
  const words = refusalWords(error, wallet);
  if (words !== null) return words;
  const isOurs = error instanceof Error && !(error instanceof TRPCClientError);
  return isOurs && error.message !== '' ? error.message : failureOf(error).message;
}
