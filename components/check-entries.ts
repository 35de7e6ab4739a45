import type { inferRouterInputs } from '@trpc/server';
import type { AppRouter } from '@/server/api/app-router';
import { apiClient, withHeaders } from './api-client';
import type { RefusedFields } from './refused-fields';

/** Entries that people type and that a receipt shows. */
export type Entries = inferRouterInputs<AppRouter>['web']['words'];

/**
 * The field cuts a longer text during typing. The check refuses a much shorter one, and counts its
 * characters.
 */
export const MOST_TYPED = 300;

/** How long a reader waits for the check, in ms. It is a service to the reader and decides nothing. */
const PATIENCE_MS = 5_000;

/**
 * The entries that the service would refuse, asked before a wallet signs. Empty if it cannot be asked or
 * does not answer within seconds: it judges them again when it gets them.
 */
export async function refusedEntries(entries: Entries): Promise<RefusedFields> {
  try {
    const checked = await apiClient.web.words.query(entries, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      context: withHeaders({}),
    });
    return Object.fromEntries(
      Object.entries(checked).flatMap(([name, words]) =>
        words && 'refusal' in words ? [[name, words.refusal]] : [],
      ),
    );
  } catch {
    return {};
  }
}
