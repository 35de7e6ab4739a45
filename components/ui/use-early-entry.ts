import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

/**
 * Reports what the reader entered before the code of the page had loaded, such as a signature pasted
 * on a slow phone. React drops it: its first render keeps the value that the server wrote.
 */
export function useEarlyEntry<Control extends { value: string }>(
  shown: string | undefined,
  onValue: ((value: string) => void) | undefined,
): RefObject<Control | null> {
  const ref = useRef<Control>(null);
  const report = useEffectEvent(() => {
    const entered = ref.current?.value;
    if (shown !== undefined && entered !== undefined && entered !== shown) onValue?.(entered);
  });
  useEffect(() => report(), []);
  return ref;
}
