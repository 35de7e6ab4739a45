import type { Adapter } from '@solana/wallet-adapter-base';
import {
  Coin98WalletAdapter,
  CoinbaseWalletAdapter,
  LedgerWalletAdapter,
  TrustWalletAdapter,
} from '@solana/wallet-adapter-wallets';

/**
 * Wallets that do not announce themselves to pages. Loaded only when somebody asks for them. Phantom and Solflare
 * announce themselves. Their adapters would add a redirect or a frame of another site, which our policy blocks.
 */
export function makeMoreAdapters(): Adapter[] {
  return [
    new LedgerWalletAdapter(),
    new CoinbaseWalletAdapter(),
    new TrustWalletAdapter(),
    new Coin98WalletAdapter(),
  ];
}
