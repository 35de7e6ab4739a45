import { parseJson } from './parse-json';

/** A node that gave no JSON. The message names its host alone. */
export class NoJson extends Error {}

/** Asks a node in JSON and gives its parsed answer; throws {@link NoJson} where there is none. */
export type AskNode = (url: string, body: unknown) => Promise<unknown>;

const TIMEOUT_MS = 15_000;
/** The largest answers are accounts of big trees, some 2 MB. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Posts JSON to a node and gives the parsed answer. A URL may hold a key: errors name its host alone. Throws
 * {@link NoJson}.
 */
export async function postJson(url: string, body: unknown): Promise<unknown> {
  const { host } = new URL(url);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new NoJson(`${host} cannot be reached`, { cause });
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new NoJson(`${host} answered HTTP ${response.status}`);
  }
  const json = parseJson(await readText(response, host));
  if (json === undefined) throw new NoJson(`${host} did not answer in JSON`);
  return json;
}

async function readText(response: Response, host: string): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new NoJson(`${host} ended its answer early`, { cause });
    });
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      throw new NoJson(`${host} answered with more than ${MOST_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
