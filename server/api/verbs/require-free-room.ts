import type { ServiceContext } from '@/server/context';
import { ServiceError } from '@/server/errors';
import { treeSpace } from '@/server/nft/tree-space';
import { refuseSpentBudget, type FreeMintWish } from '@/server/receipts/free-budget';

/**
 * Throws 429 when the day's free receipts are spent, and 503 when the room in the trees is kept for paid
 * ones, before any work is done. Gives what `takeFreeMint` takes with the receipt.
 */
export async function requireFreeRoom(
  { db, env, clock }: Pick<ServiceContext, 'db' | 'env' | 'clock'>,
  wish: FreeMintWish,
) {
  const budget = { wish, limits: env.limits, now: clock.now() };
  await refuseSpentBudget(db, budget);
  // The last tenth of the room in the trees is for receipts that are paid for.
  const space = await treeSpace(db, { network: env.network, minter: env.minter.publicKey });
  if (space.left * 10n > space.capacity) return budget;
  throw new ServiceError(
    'free_mints_unavailable',
    'The room that is left for receipts is kept for those that are paid for. Please try again later.',
    { retryAfterS: 600 },
  );
}
