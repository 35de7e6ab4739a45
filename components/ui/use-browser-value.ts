import { useSyncExternalStore } from 'react';

/**
 * A value that only the browser knows, such as zone and language, and that does not change. The
 * page from the server has `sent` instead.
 */
export function useBrowserValue<Value>(read: () => Value, sent: Value): Value {
  return useSyncExternalStore(unchanging, read, () => sent);
}

const unchanging = () => () => undefined;
