/** Where the name of the connected wallet is kept. The wallet adapter writes and deletes it. */
export const WALLET_KEY = 'quittance-wallet';

/** Where the library of the Mobile Wallet Adapter keeps the permission that a wallet app gave, with the address. */
const GRANT_KEY = 'SolanaMobileWalletAdapterDefaultAuthorizationCache';

/** Set while the reader wants no wallet remembered. */
const FORGET_KEY = 'quittance-wallet-forget';

/** The name of the wallet that was connected here before; null if none is remembered. */
export function rememberedWallet(): string | null {
  const kept = read(WALLET_KEY);
  if (kept === null) return null;
  try {
    const name: unknown = JSON.parse(kept);
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** Whether the reader wants the wallet remembered over reloads. Yes, unless they said no. */
export function wantsRemembered(): boolean {
  return read(FORGET_KEY) === null;
}

/** Notes the choice. "No" deletes what is kept, too. */
export function chooseRemembered(isWanted: boolean): void {
  write((storage) => {
    if (isWanted) storage.removeItem(FORGET_KEY);
    else storage.setItem(FORGET_KEY, '1');
  });
  if (!isWanted) forgetWallet();
}

/** Deletes the name, and the permission of a wallet app. The wallet stays connected in the open page. */
export function forgetWallet(): void {
  write((storage) => {
    storage.removeItem(WALLET_KEY);
    storage.removeItem(GRANT_KEY);
  });
}

// Browsers throw on any use of storage that the reader blocked. Nothing is remembered then.

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(change: (storage: Storage) => void): void {
  try {
    change(localStorage);
  } catch {
    return;
  }
}
