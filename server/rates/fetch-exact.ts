import { exchange, HttpTrouble } from '@/server/http';

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
  const answer = await exchange({
    url,
    method: 'GET',
    timeoutMs: TIMEOUT_MS,
    mostBytes: MOST_BYTES,
    followsRedirects: true,
  }).catch((error: unknown) => {
    if (!(error instanceof HttpTrouble)) throw error;
    const how = error.kind === 'too_big' ? 'answered' : 'did not answer:';
    throw new SourceDown(`${host} ${how} ${error.reason}`);
  });
  if (answer.status === 404 || answer.status === 422) return null;
  if (answer.status < 200 || answer.status > 299)
    throw new SourceDown(`${host} answered HTTP ${answer.status}`);
  try {
    return parseExact(answer.body.toString('utf8'));
  } catch {
    throw new SourceDown(`${host} did not answer in JSON`);
  }
}

/** JSON.parse with numbers as the strings that were written. Throws a SyntaxError for what is no JSON. */
export function parseExact(text: string): unknown {
  JSON.parse(text);
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return JSON.parse(text.replace(tokens, (token) => (token[0] === '"' ? token : `"${token}"`)));
}
