import { useSyncExternalStore } from 'react';

/** What only the browser knows, such as zone and language; null in the page as it was sent. */
export function useBrowserValue(read: () => string | null): string | null {
  return useSyncExternalStore(unchanging, read, () => null);
}

const unchanging = () => () => undefined;
