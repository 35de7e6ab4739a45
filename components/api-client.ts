import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client';
import superjson from 'superjson';
import type { AppRouter } from '@/server/api/app-router';

/** The most calls that the server accepts in one request. */
const MOST_IN_BATCH = 10;

type WalletHeaders = {
  'x-wallet-address': string;
  'x-wallet-signature': string;
  'x-wallet-time': string;
};

/**
 * Headers of one call: `{context: withHeaders({...})}`. A call with headers is sent alone. So is
 * one that the server holds until something changes.
 */
export function withHeaders(
  headers: Partial<WalletHeaders> & { 'x-payment'?: string; prefer?: string },
): { headers: Record<string, string>; alone: true } {
  return { headers: { ...headers }, alone: true };
}

/** How long the pages wait for an answer, in ms. The server holds `web.progress` for 15 s. */
const LIMIT_MS = 30_000;
/** The same for calls that read many transactions or files, like the limit of the REST interface. */
const LONG_LIMIT_MS = 120_000;

/** Calls with the longer limit: the server holds them for a time that the caller names, or reads much. */
const LONG_CALLS: ReadonlySet<string> = new Set([
  'receipts.status',
  'web.check',
  'web.checkStatement',
  'statements.create',
]);

/** Links of every client of the browser. A call without an answer fails after a time. */
export function apiLinks() {
  const shared = { url: '/api/trpc', transformer: superjson };
  const alone = (ms: number) =>
    httpLink<AppRouter>({
      ...shared,
      headers: ({ op }) => headersOf(op.context['headers']),
      fetch: fetchWithin(ms),
    });
  return [
    splitLink<AppRouter>({
      condition: (op) => LONG_CALLS.has(op.path),
      true: alone(LONG_LIMIT_MS),
      false: splitLink<AppRouter>({
        condition: (op) => op.context['alone'] === true,
        true: alone(LIMIT_MS),
        false: httpBatchLink({
          ...shared,
          maxItems: MOST_IN_BATCH,
          fetch: fetchWithin(LIMIT_MS),
        }),
      }),
    }),
  ];
}

/** `fetch` that fails with a `TimeoutError` if the whole answer takes longer than this. */
function fetchWithin(ms: number): typeof fetch {
  return (input, init) => {
    const limited = new AbortController();
    const given = init?.signal;
    const stop = () => limited.abort(given?.reason);
    if (given?.aborted === true) stop();
    given?.addEventListener('abort', stop, { once: true });
    // Not AbortSignal.any, which browsers have only since 2024.
    setTimeout(() => limited.abort(new DOMException('no answer in time', 'TimeoutError')), ms);
    return fetch(input, { ...init, signal: limited.signal });
  };
}

/** Calls procedures outside of React, for flows of several steps. */
export const apiClient = createTRPCClient<AppRouter>({ links: apiLinks() });

function headersOf(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** A refusal in the server's words, or a notice that the server could not be reached. */
export type ApiFailure = {
  /** The stable code of the error list in the docs, or `unreachable` when no answer came. */
  code: string;
  status: number;
  message: string;
  details: Readonly<Record<string, unknown>>;
};

/** The failure of a call, from anything that was thrown. */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof TRPCClientError) {
    const data: unknown = error.data;
    if (typeof data === 'object' && data !== null) {
      const { code_word: code, httpStatus: status, details } = { ...EMPTY, ...data };
      if (typeof code === 'string')
        return {
          code,
          status: typeof status === 'number' ? status : 500,
          message: error.message,
          details: typeof details === 'object' && details !== null ? { ...details } : {},
        };
    }
  }
  return {
    code: 'unreachable',
    status: isTimeout(error) ? NO_ANSWER_IN_TIME : 0,
    message: 'The service did not answer. Check your connection and try again.',
    details: {},
  };
}

/** The status of a call that the pages gave up (504 Gateway Timeout). The service may have carried it out. */
export const NO_ANSWER_IN_TIME = 504;

function isTimeout(error: unknown): boolean {
  return (
    error instanceof TRPCClientError &&
    error.cause instanceof Error &&
    error.cause.name === 'TimeoutError'
  );
}

/** Whether the same call may succeed later: no answer, a failure of the service, or too many calls. */
export function mayPass({ status }: ApiFailure): boolean {
  return status === 0 || status === 429 || status >= 500;
}

const EMPTY: { code_word?: unknown; httpStatus?: unknown; details?: unknown } = {};
