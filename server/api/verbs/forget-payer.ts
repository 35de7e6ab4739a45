import type { z } from 'zod';
import { forgetWallet } from '@/server/jurisdiction/forget-jurisdictions';
import type { forgetBody, forgetInput } from '../admin-schemas';
import type { AdminContext } from '../admin-context';

/**
 * Deletes what is on record about where a payer paid from, before its time is over, with its audit row in
 * the same transaction. The answer is the same whether there was something or not: an operator sees no more
 * of it than anybody else.
 */
export async function forgetPayer(
  { service: { db, clock }, actor }: AdminContext,
  { wallet_address: wallet }: z.output<typeof forgetInput>,
): Promise<z.output<typeof forgetBody>> {
  await db.$transaction((tx) => forgetWallet(tx, { wallet, actor, now: clock.now() }));
  return {
    success: true,
    wallet_address: wallet,
    message: 'Nothing is on record any more about where this wallet paid from.',
  };
}
