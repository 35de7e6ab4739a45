import { headers } from 'next/headers';
import { cache } from 'react';
import { dayOf } from '@/server/clock';
import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { serviceContext } from '@/server/use-cases/service';
import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { createCaller } from './app-router';
import { requestContext } from './request-context';
import { toServiceError } from './trpc';

/** The procedures for a page, called in this process for the current reader. */
export async function pageCaller(): Promise<ReturnType<typeof createCaller>> {
  return createCaller(requestContext(await headers()));
}

/** The current UTC day, for the initial values of a page. */
export function pageToday(): string {
  return dayOf(serviceContext().clock.now());
}

/**
 * The receipt of a page, read by the same procedure as the REST path; null when there is none.
 * Loaded once a request, for the page and its metadata.
 */
export const loadReceiptPage = cache(async (receiptId: string): Promise<ReceiptBody | null> => {
  const caller = await pageCaller();
  try {
    return await caller.receipts.find({ receipt_id: receiptId });
  } catch (error) {
    if (toServiceError(error).code === 'receipt_not_found') return null;
    throw error;
  }
});

/** The statement of a page, loaded like {@link loadReceiptPage} loads a receipt. */
export const loadStatementPage = cache(
  async (statementId: string): Promise<StatementBody | null> => {
    const caller = await pageCaller();
    try {
      return await caller.statements.find({ statement_id: statementId });
    } catch (error) {
      if (toServiceError(error).status === 404) return null;
      throw error;
    }
  },
);

/**
 * Why the proof on chain of a receipt or statement failed, in the form that its page may show; null
 * where nothing is on record.
 */
export async function loadLastError(id: string): Promise<string | null> {
  const caller = await pageCaller();
  return (await caller.web.progress({ receipt_id: id })).last_error;
}
