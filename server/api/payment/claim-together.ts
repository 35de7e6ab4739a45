import {
  CLAIM_LEASE_MS,
  claimPayment,
  type ClaimWish,
  type PaymentClaim,
} from '@/server/payments/claim-payment';
import { noteWaiting } from '@/server/payments/cool-down';
import type { RequestContext } from '../request-context';
import type { Purchase } from './purchase';

type Together<Reserved> = { claim: PaymentClaim; reserved: Reserved } | 'busy' | 'done';

/**
 * Claims a payment and reserves what it buys in one database transaction: both or neither. `busy`: someone
 * else is at work on one of them; `done`: it was bought meanwhile.
 */
export async function claimTogether<Reserved>(
  ctx: RequestContext,
  purchase: Purchase<Reserved>,
  wish: ClaimWish,
): Promise<Together<Reserved>> {
  try {
    return await ctx.service.db.$transaction(async (tx) => {
      const claim = await claimPayment(tx, wish);
      if (!claim) throw new NotBoth('busy');
      const reservation = await purchase.reserve(tx, {
        holder: claim.id,
        leaseMs: CLAIM_LEASE_MS,
        quoteId: wish.quoteId,
      });
      if (typeof reservation === 'string') throw new NotBoth(reservation);
      // Money that may be on its way must not meet a rival's, even if this process dies as well.
      if (claim.payment.state === 'sent') await purchase.keepReserved(tx, claim.id);
      return { claim, ...reservation };
    });
  } catch (error) {
    if (!(error instanceof NotBoth)) throw error;
    if (error.why === 'busy') await noteBusy(ctx, purchase, wish.payer);
    return error.why;
  }
}

/** Outside the transaction that rolled back: whoever waits is remembered for the cool-down of the holder. */
async function noteBusy(
  ctx: RequestContext,
  { transaction }: Purchase<unknown>,
  payer: string,
): Promise<void> {
  if (transaction === null) return;
  await noteWaiting(ctx.service.db, { txSignature: transaction.signature, payer });
}

/** Thrown to roll back. */
class NotBoth extends Error {
  constructor(readonly why: 'busy' | 'done') {
    super(why);
    this.name = 'NotBoth';
  }
}
