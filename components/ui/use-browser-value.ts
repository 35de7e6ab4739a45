import { useSyncExternalStore } from 'react';

/** What only the browser knows, such as zone and language, and does not change; `sent` in the page as it was sent. */
export function useBrowserValue<Value>(read: () => Value, sent: Value): Value {
  return useSyncExternalStore(unchanging, read, () => sent);
}

const unchanging = () => () => undefined;
