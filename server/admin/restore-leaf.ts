import type { ServiceContext } from '@/server/context';
import type { LeafEvent } from '@quittance/verify/nft/leaf';
import { restoreReceipt } from '@/server/receipts/restore-receipt';
import { restoreStatement, statementIdIn } from '@/server/statements/restore-statement';

/** What came back by a leaf, or why nothing did. Both null: all of it was on record. */
export type RestoredLeaf = { came: 'receipts' | 'statements' | null; why: string | null };

const ALL_KNOWN: RestoredLeaf = { came: null, why: null };

/** Brings back the receipt or statement that a leaf of ours stands for, as far as that can be. */
export async function restoreLeaf(
  service: ServiceContext,
  o: { leaf: LeafEvent; signature: string; slot: bigint; storageKeys: ReadonlySet<string> },
): Promise<RestoredLeaf> {
  const statementId = statementIdIn(o.leaf.metadata.name);
  if (statementId === null) {
    const one = await restoreReceipt(service, o);
    if (one.state === 'known') return ALL_KNOWN;
    return one.state === 'restored'
      ? { came: 'receipts', why: null }
      : { came: null, why: one.why };
  }
  const one = await restoreStatement(service, { ...o, statementId });
  switch (one.state) {
    case 'known':
      return ALL_KNOWN;
    case 'minted':
      return { came: 'statements', why: null };
    case 'skipped':
      return { came: null, why: one.why };
    case 'lost':
      return {
        came: null,
        why: `the rows of statement ${statementId} of ${one.wallet} are not on chain; only its payment is told as used`,
      };
  }
}
