import { createDefaultAuthorizationResultCache } from '@solana-mobile/wallet-adapter-mobile';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  chooseRemembered,
  rememberedWallet,
  WALLET_KEY,
  wantsRemembered,
} from './remembered-wallet';

beforeEach(() => {
  const kept = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal('localStorage', localStorage);
  vi.stubGlobal('window', { localStorage });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('"no" deletes the name of the wallet and what a wallet app on Android granted', async () => {
  localStorage.setItem(WALLET_KEY, '"Phantom"');
  const granted = createDefaultAuthorizationResultCache();
  await granted.set({ accounts: [], auth_token: 'granted', wallet_uri_base: '' });
  expect(await granted.get()).toBeDefined();
  chooseRemembered(false);
  expect([rememberedWallet(), wantsRemembered()]).toEqual([null, false]);
  expect(await granted.get()).toBeUndefined();
});
