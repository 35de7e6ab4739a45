import type { Transfer } from '@/server/chain/transfer';
import { ServiceError } from '@/server/errors';
import { toDecimal } from '@/server/money';
import type { ReportedBy } from '@/server/receipts/prepare-receipt';

/** The two parties; of a transfer that was just read, also what they are and who else was paid. */
type Parties = Pick<Transfer, 'payer' | 'seller'> &
  Partial<Pick<Transfer, 'payerKind' | 'sellerKind' | 'otherLegs'>>;

/** `payer` or `seller` for a party of a transaction, null without a wallet; throws 403 for anybody else. */
export function roleOf(wallet: string | null, parties: Parties): ReportedBy | null {
  if (wallet === null) return null;
  if (wallet === parties.payer) return 'payer';
  if (wallet === parties.seller) return 'seller';
  throw new ServiceError('not_a_participant', refusal(wallet, parties), { details: { wallet } });
}

function refusal(wallet: string, parties: Parties): string {
  const leg = parties.otherLegs?.find(({ owner }) => owner === wallet);
  if (leg)
    return `The wallet ${wallet} is neither the payer nor the seller of this transaction: it received ${toDecimal(leg.amount, leg.decimals)} ${leg.mint ?? 'SOL'} beside the payment. A receipt is for its payer and for ${parties.seller}; a statement (POST /statement) lists every leg of a wallet.`;
  const words = `The wallet ${wallet} is not involved in this transaction: it is neither its payer nor its seller.`;
  const { payer, seller, payerKind, sellerKind } = parties;
  if (payerKind === 'program' && sellerKind === 'program')
    return `${words} Both parties are program accounts, which cannot sign: nobody can ask for this receipt.`;
  if (payerKind === 'program')
    return `${words} The payer ${payer} is a program account, which cannot sign; the seller ${seller} may ask.`;
  if (sellerKind === 'program')
    return `${words} The seller ${seller} is a program account, which cannot sign; the payer ${payer} may ask.`;
  return words;
}
