import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client';
import superjson from 'superjson';
import type { AppRouter } from '@/server/api/app-router';

/** As many calls as the server takes in one request. */
const MOST_IN_BATCH = 10;

type WalletHeaders = {
  'x-wallet-address': string;
  'x-wallet-signature': string;
  'x-wallet-time': string;
};

/**
 * Headers that go with one call: `{context: withHeaders({...})}`. A call with headers, and one that the
 * server holds back until something changes, travels alone.
 */
export function withHeaders(
  headers: Partial<WalletHeaders> & { 'x-payment'?: string; prefer?: string },
): { headers: Record<string, string>; alone: true } {
  return { headers: { ...headers }, alone: true };
}

/** Links of every client of the browser. */
export function apiLinks() {
  const shared = { url: '/api/trpc', transformer: superjson };
  return [
    splitLink<AppRouter>({
      condition: (op) => op.context['alone'] === true || op.path === 'receipts.status',
      true: httpLink({ ...shared, headers: ({ op }) => headersOf(op.context['headers']) }),
      false: httpBatchLink({ ...shared, maxItems: MOST_IN_BATCH }),
    }),
  ];
}

/** Calls procedures outside of React, as flows of several steps do. */
export const apiClient = createTRPCClient<AppRouter>({ links: apiLinks() });

function headersOf(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** A refusal as the server words it, or that the server could not be reached. */
export type ApiFailure = {
  /** The stable code, as in the error list of the docs; `unreachable` when no answer came. */
  code: string;
  status: number;
  message: string;
  details: Readonly<Record<string, unknown>>;
};

/** What went wrong with a call, whatever was thrown. */
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
    status: 0,
    message: 'The service did not answer. Check your connection and try again.',
    details: {},
  };
}

const EMPTY: { code_word?: unknown; httpStatus?: unknown; details?: unknown } = {};
