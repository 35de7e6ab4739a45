import type { Adapter } from '@solana/wallet-adapter-base';
import { LedgerWalletAdapter } from '@solana/wallet-adapter-wallets';

/**
 * Wallets that do not announce themselves to pages. Loaded only when a reader asks for them.
 * Phantom and Solflare announce themselves. Their adapters would add a redirect or a frame of
 * another site, which our policy blocks. The adapters of Coinbase, Trust and Coin98 do not report
 * a switch of the account.
 */
export function makeMoreAdapters(): Adapter[] {
  return [new LedgerWalletAdapter()];
}
