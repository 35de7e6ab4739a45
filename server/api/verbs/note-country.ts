import { locateAddress, type Location } from '@/server/jurisdiction/locate-address';
import { recordJurisdiction } from '@/server/jurisdiction/record-jurisdiction';
import type { ReceiptWithMint } from '@/server/receipts/find-receipt';
import type { ProvenWallet } from '../guards/wallet-proof';
import type { RequestContext } from '../request-context';

/** Where a request came from that the payer proved to have made. Call it for no other request. */
export function locatePayer(ctx: RequestContext): Promise<Location | null> {
  return locateAddress(ctx.client, ctx.service.env.ipCountryDatabase);
}

/** Fills in the country of a receipt that somebody else asked for, when its payer calls later. */
export async function noteCountryLate(
  ctx: RequestContext,
  o: { caller: ProvenWallet | null; existing: ReceiptWithMint },
): Promise<void> {
  const { receipt } = o.existing;
  if (o.caller !== receipt.payer) return;
  const location = await locatePayer(ctx);
  if (!location) return;
  const { db, clock } = ctx.service;
  const subject = { ...receipt, receiptId: receipt.id };
  await recordJurisdiction(db, { subject, location, now: clock.now() });
}
