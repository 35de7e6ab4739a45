import type { Transfer } from '@quittance/verify/chain/transfer';
import { ServiceError } from '@/server/errors';
import { toDecimal } from '@quittance/verify/money';
import type { ReportedBy } from '@/server/receipts/prepare-receipt';

/** `payer` or `seller` for a party of a transaction, null without a wallet; throws 403 for anybody else. */
export function roleOf(
  wallet: string | null,
  parties: Pick<Transfer, 'payer' | 'seller'>,
): ReportedBy | null {
  return roleIn(wallet, parties, () => notInvolved(wallet ?? ''));
}

/** As {@link roleOf} of a transfer that was just read: the 403 tells who can sign and who else was paid. */
export function roleInTransfer(wallet: string | null, transfer: Transfer): ReportedBy | null {
  return roleIn(wallet, transfer, () => refusal(wallet ?? '', transfer));
}

function roleIn(
  wallet: string | null,
  { payer, seller }: Pick<Transfer, 'payer' | 'seller'>,
  why: () => string,
): ReportedBy | null {
  if (wallet === null) return null;
  if (wallet === payer) return 'payer';
  if (wallet === seller) return 'seller';
  throw new ServiceError('not_a_participant', why(), { details: { wallet } });
}

function notInvolved(wallet: string): string {
  return `The wallet ${wallet} is not involved in this transaction: it is neither its payer nor its seller.`;
}

function refusal(wallet: string, transfer: Transfer): string {
  const leg = transfer.otherLegs.find(({ owner }) => owner === wallet);
  if (leg)
    return `The wallet ${wallet} is neither the payer nor the seller of this transaction: it received ${toDecimal(leg.amount, leg.decimals)} ${leg.mint ?? 'SOL'} beside the payment. A receipt is for its payer and for ${transfer.seller}; a statement (POST /statement) lists every leg of a wallet.`;
  const words = notInvolved(wallet);
  const { payer, seller, payerKind, sellerKind } = transfer;
  if (payerKind === 'program' && sellerKind === 'program')
    return `${words} Both parties are program accounts, which cannot sign: nobody can ask for this receipt.`;
  if (payerKind === 'program')
    return `${words} The payer ${payer} is a program account, which cannot sign; the seller ${seller} may ask.`;
  if (sellerKind === 'program')
    return `${words} The seller ${seller} is a program account, which cannot sign; the payer ${payer} may ask.`;
  return words;
}
