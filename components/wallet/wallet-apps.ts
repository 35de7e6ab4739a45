/** Wallet apps with a built-in browser, and the address that opens a page there. */
const BROWSE = {
  // docs.phantom.com/phantom-deeplinks/other-methods/browse
  Phantom: 'https://phantom.app/ul/browse/',
  // docs.solflare.com, deep links, "Browse"
  Solflare: 'https://solflare.com/ul/v1/browse/',
  // docs.backpack.app/deeplinks/other-methods/browse
  Backpack: 'https://backpack.app/ul/v1/browse/',
} as const;

type WalletApp = { name: string; href: string };

/**
 * Universal links that open a page inside each wallet app. They carry the page's whole address, so
 * a chosen payment stays chosen.
 */
export function walletAppLinks(pageUrl: string): WalletApp[] {
  const page = encodeURIComponent(pageUrl);
  const from = encodeURIComponent(new URL(pageUrl).origin);
  return Object.entries(BROWSE).map(([name, base]) => ({
    name,
    href: `${base}${page}?ref=${from}`,
  }));
}

/**
 * Whether the browser opens a wallet app now. It does so only for a few seconds after a press. So it does not open it
 * for a second request, which follows when the reader is back from the app.
 */
export function mayOpenApp(o: { userActivation?: Pick<UserActivation, 'isActive'> }): boolean {
  return o.userActivation?.isActive ?? true;
}

/** Whether the device has touch alone, like phones and tablets. */
export function isTouchDevice(
  o: Pick<Window, 'matchMedia'> & { navigator: Pick<Navigator, 'maxTouchPoints'> },
): boolean {
  return o.navigator.maxTouchPoints > 0 && o.matchMedia('(pointer: coarse)').matches;
}
