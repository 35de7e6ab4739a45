import { pageCaller } from '../page-caller';
import type { ReceiptBody } from '../schemas';
import { toServiceError } from '../trpc';

/** The receipt a page shows, through the same procedure as the REST path; null when there is none. */
export async function loadReceiptPage(receiptId: string): Promise<ReceiptBody | null> {
  const caller = await pageCaller();
  try {
    return await caller.receipts.find({ receipt_id: receiptId });
  } catch (error) {
    if (toServiceError(error).code === 'receipt_not_found') return null;
    throw error;
  }
}
