import type { ServiceContext } from '@/server/context';
import type { LeafEvent } from '@/server/nft/leaf';
import { priceReceipt, priceStatement } from '@/server/payments/prices';
import { restoreReceipt } from '@/server/receipts/restore-receipt';
import { restoreStatement, statementIdIn } from '@/server/statements/restore-statement';

/** What somebody must have paid for, and who may have. */
export type Bought = {
  subjectId: string;
  payers: readonly string[];
  priceMicros: bigint;
  issuedAt: Date;
};

/** What came back by a leaf, what was bought with it, and why something did not come back. */
export type RestoredLeaf = {
  came: 'receipts' | 'statements' | null;
  bought: Bought | null;
  why: string | null;
};

/** Brings back the receipt or statement that a leaf of ours stands for, as far as that can be. */
export async function restoreLeaf(
  service: ServiceContext,
  o: { leaf: LeafEvent; signature: string; slot: bigint; storageKeys: ReadonlySet<string> },
): Promise<RestoredLeaf> {
  const statementId = statementIdIn(o.leaf.metadata.name);
  if (statementId !== null) {
    const one = await restoreStatement(service, { ...o, statementId });
    if (one.state === 'known') return { came: null, bought: null, why: null };
    if (one.state === 'skipped') return { came: null, bought: null, why: one.why };
    const { wallet, count, issuedAt } = one;
    const priceMicros = priceStatement(count);
    const bought = { subjectId: statementId, payers: [wallet], priceMicros, issuedAt };
    const isLost = one.state === 'lost';
    return {
      came: isLost ? null : 'statements',
      bought,
      why: isLost
        ? `the rows of statement ${statementId} of ${wallet} are not on chain; only its payment is told as used`
        : null,
    };
  }
  const one = await restoreReceipt(service, o);
  if (one.state !== 'restored')
    return { came: null, bought: null, why: one.state === 'skipped' ? one.why : null };
  const { chain, service: said } = one.metadata;
  const bought = {
    subjectId: one.receiptId,
    payers: [chain.payer, chain.seller],
    priceMicros: priceReceipt(said.usdMicros),
    issuedAt: said.issuedAt,
  };
  return { came: 'receipts', bought, why: null };
}
