import type { z } from 'zod';
import { forgetWallet, recordJurisdiction } from '@/server/jurisdiction/jurisdictions';
import { locateAddress, type Location } from '@/server/jurisdiction/locate-address';
import type { ReceiptWithMint } from '@/server/receipts/find-receipt';
import type { forgetBody, forgetInput } from '../mints/schemas';
import type { Call, OperatorActor, ProvenWallet } from '../call';

/** Where a request came from that the payer proved to have made. Call it for no other request. */
export function locatePayer(call: Call): Promise<Location | null> {
  return locateAddress(call.actor.client, call.service.env.ipCountryDatabase);
}

/** Fills in the country of a receipt that somebody else asked for, when its payer calls later. */
export async function noteCountryLate(
  call: Call,
  o: { caller: ProvenWallet | null; existing: ReceiptWithMint },
): Promise<void> {
  const { receipt } = o.existing;
  if (o.caller !== receipt.payer) return;
  const location = await locatePayer(call);
  if (!location) return;
  const { db, clock } = call.service;
  const subject = { ...receipt, receiptId: receipt.id };
  await recordJurisdiction(db, { subject, location, now: clock.now() });
}

/**
 * Deletes what is on record about where a payer paid from, before its time is over, with its audit row in
 * the same transaction. The answer is the same whether there was something or not: an operator sees no more
 * of it than anybody else.
 */
export async function forgetPayer({
  service: { db, clock },
  actor: { name: actor },
  input: { wallet_address: wallet },
}: Call<z.output<typeof forgetInput>, OperatorActor>): Promise<z.output<typeof forgetBody>> {
  await db.$transaction((tx) => forgetWallet(tx, { wallet, actor, now: clock.now() }));
  return {
    success: true,
    wallet_address: wallet,
    message: 'The recorded countries of this wallet are deleted.',
  };
}
