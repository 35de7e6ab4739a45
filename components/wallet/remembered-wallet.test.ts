import { createDefaultAuthorizationResultCache } from '@solana-mobile/wallet-adapter-mobile';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubLocalStorage } from '../stub-local-storage.fixture';
import {
  chooseRemembered,
  rememberedWallet,
  WALLET_KEY,
  wantsRemembered,
} from './remembered-wallet';

beforeEach(() => {
  stubLocalStorage();
  vi.stubGlobal('window', { localStorage });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('"no" deletes the name of the wallet and the permission of a wallet app on Android', async () => {
  localStorage.setItem(WALLET_KEY, '"Phantom"');
  const granted = createDefaultAuthorizationResultCache();
  await granted.set({ accounts: [], auth_token: 'granted', wallet_uri_base: '' });
  expect(await granted.get()).toBeDefined();
  chooseRemembered(false);
  expect([rememberedWallet(), wantsRemembered()]).toEqual([null, false]);
  expect(await granted.get()).toBeUndefined();
});
