import { useWallet } from '@solana/wallet-adapter-react';
import { useEffect, useRef } from 'react';
import { rememberedWallet, rememberWallet } from './remembered-wallet';

/**
 * Keeps the name of a remembered wallet that is locked when the page loads. It does not connect
 * then, and the library deletes its name. After a connection, only the reader deletes it.
 */
export function useLockedWallet(): void {
  const { wallet, connected } = useWallet();
  const name = wallet?.adapter.name ?? null;
  const kept = useRef(rememberedWallet());
  const wasTried = useRef(false);
  useEffect(() => {
    if (kept.current === null) return;
    if (connected || (name !== null && name !== kept.current)) kept.current = null;
    else if (name !== null) wasTried.current = true;
    else if (wasTried.current) {
      const again = kept.current;
      kept.current = null;
      // The library deletes it in an effect, which runs first.
      setTimeout(() => rememberWallet(again));
    }
  }, [name, connected]);
}
