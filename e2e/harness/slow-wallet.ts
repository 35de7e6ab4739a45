import type { BrowserContext } from '@playwright/test';

/** Puts a second wallet, "Slow Wallet", into every page of a context. It never answers. */
export async function installSlowWallet(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const wallet = {
      version: '1.0.0',
      name: 'Slow Wallet',
      icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxIiBoZWlnaHQ9IjEiLz4=',
      chains: ['solana:localnet'],
      accounts: [],
      features: {
        'standard:connect': { version: '1.0.0', connect: () => new Promise(() => undefined) },
        'standard:events': { version: '1.0.0', on: () => () => undefined },
        'solana:signAndSendTransaction': {
          version: '1.0.0',
          supportedTransactionVersions: ['legacy', 0],
          signAndSendTransaction: () => new Promise(() => undefined),
        },
      },
    };
    const register = (api: { register(wallet: object): void }) => api.register(wallet);
    window.addEventListener('wallet-standard:app-ready', (event) =>
      register((event as CustomEvent<{ register(wallet: object): void }>).detail),
    );
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  });
}
