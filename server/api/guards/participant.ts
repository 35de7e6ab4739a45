import { ServiceError } from '@/server/errors';
import type { ReportedBy } from '@/server/receipts/prepare-receipt';

/** `payer` or `seller` for a party of a transaction, null without a wallet; throws 403 for anybody else. */
export function roleOf(
  wallet: string | null,
  parties: { payer: string; seller: string },
): ReportedBy | null {
  if (wallet === null) return null;
  if (wallet === parties.payer) return 'payer';
  if (wallet === parties.seller) return 'seller';
  throw new ServiceError(
    'not_a_participant',
    `The wallet ${wallet} is not involved in this transaction: it is neither its payer nor its seller.`,
    { details: { wallet } },
  );
}
