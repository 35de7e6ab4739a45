import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef } from 'react';

/** Wait after a question without an answer. */
const PAUSE_MS = 2_000;
/** A connection that was lost may stay silent for ever. */
const LIMIT_MS = 10_000;

/**
 * Shows the newest state of the page, as soon as the service answers. Without a connection, the
 * refresh of Next.js would replace the page by the browser's error.
 */
export function useRefresh(): () => void {
  const router = useRouter();
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  return useCallback(() => {
    left.current?.abort();
    const asking = new AbortController();
    left.current = asking;
    void untilAnswered(asking.signal).then((isAnswered) => {
      if (isAnswered) router.refresh();
    });
  }, [router]);
}

/** Asks until there is an answer. False when the reader has left. */
async function untilAnswered(signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const either = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    const response = await fetch(location.href, { method: 'HEAD', signal: either }).catch(
      () => null,
    );
    if (response) return !signal.aborted;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}
