import { useCode } from '../ui/use-code';
import type WalletBridge from './wallet-bridge';

type Bridge = typeof WalletBridge;

const importBridge = () => import('./wallet-bridge');

/** Loads the code of wallets on demand, because it is larger than all other code of a page. */
export function useWalletBridge(): {
  Bridge: Bridge | null;
  failure: unknown;
  load: () => void;
} {
  const { code, failure, load } = useCode(importBridge);
  return { Bridge: code?.default ?? null, failure, load };
}
