import type { Receipt } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';
import { NO_LABELS, type RowLabels } from '@quittance/verify/statements/statement-rows';
import { hiddenLabels } from './labels';
import type { ListedReceipt } from './receipt-codec';

/** Why something that a person wrote is hidden or shown again, and which operator did it. */
export type Hiding = { hidden: boolean; reason: string; actor: string; now: Date };

/**
 * Hides the labels of a receipt, or shows them again, with its audit row in the caller's
 * transaction. Returns false when there is no such receipt. The signed files of the receipt do not
 * change.
 */
export async function setLabelsHidden(
  tx: Db,
  { receiptId, hidden, reason, actor, now }: Hiding & { receiptId: string },
): Promise<boolean> {
  const { count } = await tx.receipt.updateMany({
    where: { id: receiptId },
    data: { labelsHiddenAt: hidden ? now : null },
  });
  if (count === 0) return false;
  await writeAudit(tx, {
    at: now,
    actor,
    action: hidden ? 'labels.hide' : 'labels.show',
    subject: receiptId,
    detail: { reason },
  });
  return true;
}

/** A receipt for display, with the note in place of hidden labels. Never sign or check this one. */
export function shownReceipt(receipt: Receipt): Receipt {
  return receipt.labelsHiddenAt === null ? receipt : { ...receipt, ...hiddenLabels(receipt) };
}

/** Labels for a row of a statement. Its CSV is permanent, so hidden labels are left out instead of noted. */
export function statedLabels(receipt: ListedReceipt | undefined): RowLabels {
  if (!receipt) return NO_LABELS;
  const { serviceType, transactionType, invoiceId, metadataUri } = receipt;
  return receipt.labelsHidden
    ? { ...NO_LABELS, metadataUri }
    : { serviceType, transactionType, invoiceId, metadataUri };
}
