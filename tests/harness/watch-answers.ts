import { answerChecker, type CheckAnswer } from './answer-checker';

/** One document for all services of a process: their build is the same, and the validators cost time. */
let check: Promise<CheckAnswer> | undefined;
/** What was wrong, by the origin that answered so. */
const watched = new Map<string, string[]>();
const plainFetch = globalThis.fetch;

/**
 * From now on every answer that `fetch` gets from this origin must be one that /openapi.json describes: the request
 * fails otherwise, and `unwatchAnswers` does for those whose failure nobody saw.
 */
export async function watchAnswers(baseUrl: string): Promise<void> {
  check ??= plainFetch(new URL('/openapi.json', baseUrl))
    .then((response) => response.json())
    .then(answerChecker);
  await check;
  watched.set(new URL(baseUrl).origin, []);
  globalThis.fetch = checkedFetch;
}

/** Ends the watch; throws with all answers that were not as described. */
export function unwatchAnswers(baseUrl: string): void {
  const { origin } = new URL(baseUrl);
  const faults = watched.get(origin) ?? [];
  watched.delete(origin);
  if (faults.length > 0)
    throw new Error(`answers that /openapi.json does not describe:\n${faults.join('\n')}`);
}

/** For answers that came another way than by `fetch` as well. */
export async function checkAnswer(
  baseUrl: string,
  asked: Parameters<CheckAnswer>[0],
  answer: Parameters<CheckAnswer>[1],
): Promise<void> {
  const fault = (await check)?.(asked, answer) ?? null;
  if (fault === null) return;
  const text = `${asked.method} ${asked.path} ${answer.status}: ${fault}\n${answer.text?.slice(0, 600) ?? ''}`;
  watched.get(new URL(baseUrl).origin)?.push(text);
  throw new Error(`not as /openapi.json says: ${text}`);
}

async function checkedFetch(...args: Parameters<typeof fetch>): Promise<Response> {
  const response = await plainFetch(...args);
  const [input, init] = args;
  const request = input instanceof Request ? input : null;
  const url = new URL(request?.url ?? String(input));
  if (!watched.has(url.origin)) return response;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  // A file may be read slowly, or not to its end.
  const isFile = response.headers.has('content-disposition');
  const text = isJson && !isFile ? await response.clone().text() : null;
  const accept = new Headers(init?.headers ?? request?.headers).get('accept') ?? '';
  const asked = { method, path: url.pathname, wantsPage: accept.includes('text/html') };
  const { status, headers } = response;
  await checkAnswer(url.origin, asked, { status, headers, text });
  return response;
}
