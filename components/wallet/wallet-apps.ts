/** Wallet apps that open a page in a browser of their own, and the address that makes them do so. */
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
 * Universal links that open a page inside each wallet app. The page's whole address goes along, so a payment
 * that was chosen before stays chosen.
 */
export function walletAppLinks(pageUrl: string): WalletApp[] {
  const page = encodeURIComponent(pageUrl);
  const from = encodeURIComponent(new URL(pageUrl).origin);
  return Object.entries(BROWSE).map(([name, base]) => ({
    name,
    href: `${base}${page}?ref=${from}`,
  }));
}

/** Whether the device is operated by touch alone, as phones and tablets are. */
export function isTouchDevice(
  o: Pick<Window, 'matchMedia'> & { navigator: Pick<Navigator, 'maxTouchPoints'> },
): boolean {
  return o.navigator.maxTouchPoints > 0 && o.matchMedia('(pointer: coarse)').matches;
}
