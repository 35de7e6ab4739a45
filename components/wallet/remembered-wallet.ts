/** The storage key of the connected wallet's name. The wallet adapter writes and deletes it. */
export const WALLET_KEY = 'quittance-wallet';

/**
 * The storage key under which the library of the Mobile Wallet Adapter keeps a wallet app's
 * permission, with the address.
 */
const GRANT_KEY = 'SolanaMobileWalletAdapterDefaultAuthorizationCache';

/** Set as long as the reader wants no wallet remembered. */
const FORGET_KEY = 'quittance-wallet-forget';

/** The name of the wallet that was connected here before, or null if none is remembered. */
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

/** Whether the reader wants the wallet remembered over reloads. Yes by default. */
export function wantsRemembered(): boolean {
  return read(FORGET_KEY) === null;
}

/** Stores the choice. "No" also deletes the stored wallet. */
export function chooseRemembered(isWanted: boolean): void {
  write((storage) => {
    if (isWanted) storage.removeItem(FORGET_KEY);
    else storage.setItem(FORGET_KEY, '1');
  });
  if (!isWanted) forgetWallet();
}

/** Keeps the name of a wallet that did not connect, unless the reader chose to be forgotten. */
export function rememberWallet(name: string): void {
  if (wantsRemembered()) write((storage) => storage.setItem(WALLET_KEY, JSON.stringify(name)));
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
