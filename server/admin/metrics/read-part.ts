import type { ServiceContext } from '@/server/context';

/** Reads one part and returns what writes its metrics, all at once. Throws when the part does not answer. */
export type ReadPart = (service: ServiceContext) => Promise<() => void>;

/** Reads at most once in a while. A failure is not kept. */
export function keptFor(keepMs: number, read: ReadPart): ReadPart {
  let kept: { at: number; write: () => void } | undefined;
  return async (service) => {
    if (kept && performance.now() - kept.at < keepMs) return kept.write;
    kept = undefined;
    const write = await read(service);
    kept = { at: performance.now(), write };
    return write;
  };
}
