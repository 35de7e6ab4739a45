import {
  createDefaultAddressSelector,
  createDefaultAuthorizationResultCache,
  SolanaMobileWalletAdapter,
  SolanaMobileWalletAdapterWalletName as MOBILE,
} from '@solana-mobile/wallet-adapter-mobile';
import { WalletConnectionError, WalletError } from '@solana/wallet-adapter-base';
import { wantsRemembered } from './remembered-wallet';
import { WALLET_APP } from './signer';

export { MOBILE };

/** The name of a wallet in texts. The adapter for wallet apps has the name of a protocol. */
export function shownName(adapterName: string): string {
  return adapterName === MOBILE ? WALLET_APP : adapterName;
}

type Config = ConstructorParameters<typeof SolanaMobileWalletAdapter>[0];
type Cache = Config['authorizationResultCache'];
type Granted = Awaited<ReturnType<Cache['get']>>;

/** Networks in the words of the protocol. It has no local one, so a test chain goes by the name of mainnet. */
const CHAIN_OF = {
  local: 'solana:mainnet',
  devnet: 'solana:devnet',
  mainnet: 'solana:mainnet',
} as const;

/**
 * Wallet apps on Android, over the Mobile Wallet Adapter protocol. The adapter of the library
 * returns from `connect()` before the wallet has answered. This one returns once it has the
 * address, and rejects if the address cannot come.
 */
class MobileAdapter extends SolanaMobileWalletAdapter {
  constructor(
    private readonly config: Config,
    private readonly granted: () => Granted,
  ) {
    super(config);
  }

  /**
   * Whether the app returns a signed transaction. Since version 2.0 of the protocol an app may only
   * sign and send. Most apps return it, so the answer is yes until one is connected.
   */
  get signsTransactions(): boolean {
    const granted = this.granted();
    if (granted === undefined || !('capabilities' in granted)) return true;
    return granted.capabilities.features.includes('solana:signTransactions');
  }

  override async connect(): Promise<void> {
    try {
      await this.performAuthorization();
      // The address arrives by an event after the answer of the wallet.
      if (this.publicKey === null)
        await new Promise<void>((resolve) => this.once('connect', () => resolve()));
    } catch (error) {
      const failed =
        error instanceof WalletError ? error : new WalletConnectionError(String(error), error);
      this.emit('error', failed);
      throw failed;
    }
  }

  /** Uses only a permission of an earlier visit, because no app may open without a press. */
  override async autoConnect(): Promise<void> {
    if ((await this.config.authorizationResultCache.get()) !== undefined) await this.connect();
  }
}

/** The adapter for wallet apps on Android. Other systems do not support it, and no list offers it there. */
export function makeMobileAdapter(network: keyof typeof CHAIN_OF): SolanaMobileWalletAdapter {
  const { cache, granted } = makeCache();
  const config = {
    addressSelector: createDefaultAddressSelector(),
    appIdentity: { name: 'Quittance', uri: window.location.origin },
    authorizationResultCache: cache,
    chain: CHAIN_OF[network],
    // Our dialog says it, so the library opens no window.
    onWalletNotFound: async () => undefined,
  };
  return new MobileAdapter(config, granted);
}

/**
 * Keeps a wallet's permission over reloads, unless the reader chose to be forgotten. `granted` returns the permission
 * as this page knows it.
 */
function makeCache(): { cache: Cache; granted: () => Granted } {
  const stored = createDefaultAuthorizationResultCache();
  let inPage: Granted;
  const cache: Cache = {
    get: async () => (inPage ??= wantsRemembered() ? await stored.get() : undefined),
    set: async (granted) => {
      inPage = granted;
      await (wantsRemembered() ? stored.set(granted) : stored.clear());
    },
    clear: async () => {
      inPage = undefined;
      await stored.clear();
    },
  };
  return { cache, granted: () => inPage };
}
