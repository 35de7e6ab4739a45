import type { Mint, Receipt } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { RECEIPT_ID } from '@/server/ids';
import { ServiceError } from '@/server/errors';

export type ReceiptWithMint = { receipt: Receipt; mint: Mint };

/** A receipt and its minting state by id; throws `receipt_not_found`. */
export async function findReceipt(db: Db, receiptId: string): Promise<ReceiptWithMint> {
  const [receipt, mint] = RECEIPT_ID.test(receiptId)
    ? await Promise.all([
        db.receipt.findUnique({ where: { id: receiptId } }),
        db.mint.findUnique({ where: { id: receiptId } }),
      ])
    : [null, null];
  if (!receipt || !mint)
    throw new ServiceError('receipt_not_found', `There is no receipt ${receiptId.slice(0, 64)}.`);
  return { receipt, mint };
}

/** The one live receipt of a transaction, or null. */
export async function findReceiptOfTransaction(
  db: Db,
  txSignature: string,
): Promise<ReceiptWithMint | null> {
  const receipt = await db.receipt.findFirst({ where: { txSignature, releasedAt: null } });
  const mint = receipt && (await db.mint.findUnique({ where: { id: receipt.id } }));
  return receipt && mint ? { receipt, mint } : null;
}
