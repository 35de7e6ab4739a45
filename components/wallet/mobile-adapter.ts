import {
  createDefaultAddressSelector,
  createDefaultAuthorizationResultCache,
  SolanaMobileWalletAdapter,
} from '@solana-mobile/wallet-adapter-mobile';
import { WalletConnectionError, WalletError } from '@solana/wallet-adapter-base';
import { wantsRemembered } from './remembered-wallet';

export { SolanaMobileWalletAdapterWalletName as MOBILE } from '@solana-mobile/wallet-adapter-mobile';

type Config = ConstructorParameters<typeof SolanaMobileWalletAdapter>[0];
type Cache = Config['authorizationResultCache'];

/** Networks in the words of the protocol. It has no local one, so a test chain goes by the name of mainnet. */
const CHAIN_OF = {
  local: 'solana:mainnet',
  devnet: 'solana:devnet',
  mainnet: 'solana:mainnet',
} as const;

/**
 * Wallet apps on Android, over the Mobile Wallet Adapter protocol. The adapter it builds on returns from
 * `connect()` before the wallet has answered; this one returns when the address is there, and rejects when it
 * will not come.
 */
class MobileAdapter extends SolanaMobileWalletAdapter {
  constructor(private readonly config: Config) {
    super(config);
  }

  override async connect(): Promise<void> {
    try {
      await this.performAuthorization();
      // The address follows the answer of the wallet by an event.
      if (this.publicKey === null)
        await new Promise<void>((resolve) => this.once('connect', () => resolve()));
    } catch (error) {
      const failed =
        error instanceof WalletError ? error : new WalletConnectionError(String(error), error);
      this.emit('error', failed);
      throw failed;
    }
  }

  /** Only what an earlier visit was granted: no app opens without a press. */
  override async autoConnect(): Promise<void> {
    if ((await this.config.authorizationResultCache.get()) !== undefined) await this.connect();
  }
}

/** The adapter for wallet apps on Android. Other systems do not support it, and no list offers it there. */
export function makeMobileAdapter(network: keyof typeof CHAIN_OF): SolanaMobileWalletAdapter {
  return new MobileAdapter({
    addressSelector: createDefaultAddressSelector(),
    appIdentity: { name: 'Quittance', uri: window.location.origin },
    authorizationResultCache: makeCache(),
    chain: CHAIN_OF[network],
    // The dialog says it, instead of a window of the library's own.
    onWalletNotFound: async () => undefined,
  });
}

/** Keeps what a wallet granted over reloads, unless the reader wants nothing remembered. */
function makeCache(): Cache {
  const stored = createDefaultAuthorizationResultCache();
  let inPage: Awaited<ReturnType<Cache['get']>>;
  return {
    get: async () => inPage ?? (wantsRemembered() ? await stored.get() : undefined),
    set: async (granted) => {
      inPage = granted;
      await (wantsRemembered() ? stored.set(granted) : stored.clear());
    },
    clear: async () => {
      inPage = undefined;
      await stored.clear();
    },
  };
}
