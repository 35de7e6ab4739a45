import { useCallback, useRef, useState } from 'react';

/**
 * Loads code that the first view of a page does not need, when `load` is called. `failure` is the last attempt where
 * that failed: the page around it stays as it is, and `load` tries again. `importCode` must stay the same function.
 */
export function useCode<Code>(importCode: () => Promise<Code>): {
  code: Code | null;
  failure: unknown;
  load: () => void;
} {
  const [code, setCode] = useState<Code | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isLoading = useRef(false);
  const load = useCallback(() => {
    if (isLoading.current) return;
    isLoading.current = true;
    setFailure(null);
    importCode()
      .then((loaded) => setCode(() => loaded), setFailure)
      .finally(() => {
        isLoading.current = false;
      });
  }, [importCode]);
  return { code, failure, load };
}
