import { fractionOf } from '@quittance/verify/money';
import { z } from 'zod';
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
 * The JSON behind a URL, with every number as the source's text, so that no digit is lost to a
 * float. Null when the source says that it has no such thing (404, 422). Throws {@link SourceDown},
 * after a second try, for everything else. Messages name the host alone, because paths and queries
 * may hold keys.
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

/**
 * JSON.parse with numbers as the strings that were written. Throws a SyntaxError for text that is
 * not JSON.
 */
export function parseExact(text: string): unknown {
  JSON.parse(text);
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return JSON.parse(text.replace(tokens, (token) => (token[0] === '"' ? token : `"${token}"`)));
}

/** How far back a day without a publication may take the last one before it. */
export const DAYS_BACK = 7;

/** A request to a source for a currency (or SOL) on a day. Days are UTC dates, YYYY-MM-DD. */
export type RateQuestion = { url: string; quote: string; day: string; today: string };

/** The last publication on or before the day, at most seven days back. */
export type Published = {
  base: string;
  /** Units of the quote for one of the base, exact decimal as published. */
  rate: string;
  /** US dollars for one of the base, of the same publication. */
  usdRate: string;
  publishedOn: string;
  /**
   * When the figure is final: now, only once the source has published for a later day, or 48 hours
   * after the end of the requested day.
   */
  finality: 'final' | 'until_superseded' | 'for_48_hours';
};

/** A number as its text: above zero and plain enough to be a rate. */
export const decimal = z.string().refine((text) => fractionOf(text) !== null);
export const isoDay = z.iso.date();
