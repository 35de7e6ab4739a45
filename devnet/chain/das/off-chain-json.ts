import { z } from 'zod';

/** The parts of a metadata file that an asset's answer shows. Malformed parts are left out. */
const offChainJson = z.object({
  description: z.string().optional().catch(undefined),
  image: z.string().optional().catch(undefined),
  external_url: z.string().optional().catch(undefined),
  attributes: z
    .array(z.looseObject({ trait_type: z.string().optional() }))
    .optional()
    .catch(undefined),
  properties: z
    .object({
      files: z.array(z.object({ uri: z.string(), type: z.string().optional() })).optional(),
    })
    .optional()
    .catch(undefined),
});
export type OffChainJson = z.infer<typeof offChainJson>;

/** Reads the file behind a URI as JSON. Throws when it cannot. */
export type FetchJson = (uri: string) => Promise<unknown>;

const DEFAULT_WAIT_MS = 300;
/** A file that could not be read is not requested again within this time. */
const RETRY_AFTER_MS = 5_000;
/** Files that one answer starts to read, so that a long list does not flood the storage. */
const MAX_STARTED = 16;
const FETCH_TIMEOUT_MS = 5_000;
const MAX_FILE_BYTES = 256 * 1024;

export type JsonReader = { readAll: (uris: string[]) => Promise<Map<string, OffChainJson>> };

/**
 * Reads off-chain files and keeps them. An answer waits at most `waitMs` and then leaves out
 * missing files. The reading continues, so that a later answer has them.
 */
export function openJsonReader(fetchJson: FetchJson, waitMs = DEFAULT_WAIT_MS): JsonReader {
  const known = new Map<string, OffChainJson>();
  const reading = new Map<string, Promise<void>>();
  const failedAt = new Map<string, number>();

  function start(uri: string): Promise<void> {
    const running = reading.get(uri);
    if (running) return running;
    const work = Promise.resolve()
      .then(() => fetchJson(uri))
      .then((value) => void known.set(uri, offChainJson.parse(value)))
      .catch(() => void failedAt.set(uri, Date.now()))
      .finally(() => reading.delete(uri));
    reading.set(uri, work);
    return work;
  }

  return {
    async readAll(uris) {
      const wanted = [...new Set(uris)];
      const missing = wanted.filter(
        (uri) => !known.has(uri) && Date.now() - (failedAt.get(uri) ?? 0) >= RETRY_AFTER_MS,
      );
      if (missing.length)
        await within(waitMs, Promise.all(missing.slice(0, MAX_STARTED).map(start)));
      return new Map(
        wanted.flatMap((uri) => {
          const json = known.get(uri);
          return json ? [[uri, json] as const] : [];
        }),
      );
    },
  };
}

/** Reads http and https files of up to 256 KB in up to 5 s. */
export async function fetchJsonOverHttp(uri: string): Promise<unknown> {
  if (!/^https?:\/\//.test(uri)) throw new Error(`cannot read ${uri}`);
  const response = await fetch(uri, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  const length = Number(response.headers.get('content-length') ?? 0);
  if (!response.ok || length > MAX_FILE_BYTES) {
    await response.body?.cancel();
    throw new Error(`${uri} answered ${response.status} with ${length} bytes`);
  }
  const text = await response.text();
  if (text.length > MAX_FILE_BYTES)
    throw new Error(`${uri} is larger than ${MAX_FILE_BYTES} bytes`);
  return JSON.parse(text);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
