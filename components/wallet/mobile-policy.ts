/**
 * Style sheets of the windows that the library of the Mobile Wallet Adapter opens: its waiting
 * sign, and three that ask for access to the wallet app. A test compares them with the library.
 */
export const MOBILE_STYLES = [
  'sha256-9y+0omBcAXmVSpYuadfUp/k8GxCIDiw2wrEyqM1cQnc=',
  'sha256-sen7ZoAG9PuEEbYrzXrC+mgAQtKbEdz27Vl9VDk22b4=',
  'sha256-a3+3UU0WYPDxSAQsmQ2ZP+l7uHX0qqkn0B97M/lHa2Y=',
  'sha256-JL4jR/a9x8E6RvQBgmpjIKwquuV9zBrwhVjG11+WErU=',
] as const;

/** Whether a browser may use the Mobile Wallet Adapter, which exists only on Android. */
export function usesMobileWallets(userAgent: string | null): boolean {
  return userAgent !== null && /android/i.test(userAgent);
}
