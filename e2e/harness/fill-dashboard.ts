import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import type { TestService } from '@/tests/harness/start-service';

/**
 * A wallet that sold `count` times today, each of its receipts for `purpose`. The newest is number
 * `count` (`INV-59` of 30: only odd numbers are sales).
 */
export async function makeShop(
  { prisma }: TestService,
  o: { purpose: string; count: number },
): Promise<Wallet> {
  const wallet = makeWallet();
  const { address: seller } = wallet;
  await fillReceipts(prisma, { wallet: seller, other: makeWallet().address, count: 2 * o.count });
  await prisma.receipt.updateMany({
    where: { OR: [{ seller }, { payer: seller }] },
    data: { blockTime: new Date(), serviceType: o.purpose },
  });
  return wallet;
}

/** Writes the wallet's own note on one of its receipts. */
export async function noteReceipt(
  { prisma }: TestService,
  o: { wallet: string; invoiceId: string; label: string },
): Promise<void> {
  const { wallet, invoiceId, label } = o;
  const where = { seller: wallet, invoiceId };
  const { id: receiptId } = await prisma.receipt.findFirstOrThrow({ where });
  await prisma.privateLabel.create({ data: { wallet, receiptId, label, updatedAt: new Date() } });
}
