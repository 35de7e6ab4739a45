import { useCallback, useRef, useState } from 'react';

/**
 * Loads code that the first view of a page does not need, when `load` is called. `failure` is set
 * if the last attempt failed. The rest of the page stays, and `load` tries again. `importCode` must
 * stay the same function.
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

/** Whether an error means that code did not load. The name is that of the loader of Next.js. */
export function isLostCode(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChunkLoadError';
}
