/** A source of rates did not give a usable answer: down, slow, limiting, or speaking another language. */
export class SourceDown extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SourceDown';
  }
}

const TIMEOUT_MS = 4_000;
/** A currency-api file has 340 lines; a range of Frankfurter fewer. */
const MOST_BYTES = 512 * 1024;
const TRIES = 2;

/**
 * The JSON behind a URL with every number as the text the source wrote, so that no digit is lost to a
 * float; null when the source says that it has no such thing (404, 422). Throws {@link SourceDown}, after
 * a second try, for everything else. Messages name the host alone, as paths and queries may hold keys.
 */
export async function fetchExact(url: string): Promise<unknown> {
  let last = new SourceDown('was not asked');
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      return await fetchOnce(url);
    } catch (error) {
      if (!(error instanceof SourceDown)) throw error;
      last = error;
    }
  }
  throw last;
}

async function fetchOnce(url: string): Promise<unknown> {
  const { host } = new URL(url);
  const response = await request(url, host);
  if (response.status === 404 || response.status === 422) {
    await response.body?.cancel();
    return null;
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new SourceDown(`${host} answered HTTP ${response.status}`);
  }
  const text = await readText(response, host);
  try {
    return parseExact(text);
  } catch {
    throw new SourceDown(`${host} did not answer in JSON`);
  }
}

async function request(url: string, host: string): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), cache: 'no-store' });
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw new SourceDown(
      late ? `${host} did not answer within ${TIMEOUT_MS} ms` : `${host} cannot be reached`,
    );
  }
}

async function readText(response: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      throw new SourceDown(`${host} broke off its answer`);
    });
    if (done) break;
    length += value.byteLength;
    if (length > MOST_BYTES) {
      await reader.cancel();
      throw new SourceDown(`${host} answered more than ${MOST_BYTES} bytes`);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON.parse with numbers as the strings that were written. Throws a SyntaxError for what is no JSON. */
export function parseExact(text: string): unknown {
  JSON.parse(text);
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return JSON.parse(text.replace(tokens, (token) => (token[0] === '"' ? token : `"${token}"`)));
}
