import { useCallback, useRef, useState } from 'react';
import type WalletBridge from './wallet-bridge';

type Bridge = typeof WalletBridge;

/**
 * Loads the code of wallets when a wallet is wanted, because it is larger than all other code of a page. `failure` is
 * the last attempt where that failed; the page around it stays as it is.
 */
export function useWalletBridge(): {
  Bridge: Bridge | null;
  failure: unknown;
  load: () => void;
} {
  const [Bridge, setBridge] = useState<Bridge | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isLoading = useRef(false);
  const load = useCallback(() => {
    if (isLoading.current) return;
    isLoading.current = true;
    setFailure(null);
    import('./wallet-bridge')
      .then(({ default: loaded }) => setBridge(() => loaded), setFailure)
      .finally(() => {
        isLoading.current = false;
      });
  }, []);
  return { Bridge, failure, load };
}
