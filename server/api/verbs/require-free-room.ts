import { Prisma } from '@/generated/prisma/client';
import type { ServiceContext } from '@/server/context';
import { ServiceError } from '@/server/errors';
import { spaceInTrees, type TreeSpace } from '@/server/nft/tree-space';
import {
  refuseSpentBudget,
  usedBudget,
  type FreeMintOrder,
  type FreeMintWish,
  type UsedBudget,
} from '@/server/receipts/free-budget';

/** Mints that are written and take a leaf as soon as their turn comes. */
const promisedLeaves = Prisma.sql`
  select count(*) from mints
  where status = 'pending' and not exists (
    select 1 from mint_attempts
    where mint_id = mints.id and (outcome is null or outcome = 'landed'))`;

/**
 * Throws 429 when the day's free receipts are spent, and 503 when the room in the trees is kept for paid
 * ones, before any work is done. Gives what `takeFreeMint` takes with the receipt.
 */
export async function requireFreeRoom(
  { db, env, clock }: Pick<ServiceContext, 'db' | 'env' | 'clock'>,
  wish: FreeMintWish,
): Promise<FreeMintOrder> {
  const order = { wish, limits: env.limits, now: clock.now() };
  const owner = { network: env.network, minter: env.minter.publicKey };
  const [found] = await db.$queryRaw<
    (TreeSpace & { used: UsedBudget; promised: bigint })[]
  >(Prisma.sql`
    select space.*, (${promisedLeaves}) as promised, ${usedBudget(order)} as used
    from (${spaceInTrees(owner)}) as space`);
  refuseSpentBudget(found?.used ?? {}, order);
  // The last tenth of the room in the trees is for receipts that are paid for.
  if (found && (found.left - found.promised) * 10n > found.capacity) return order;
  throw new ServiceError(
    'free_mints_unavailable',
    'The room that is left for receipts is kept for those that are paid for. Please try again later.',
    { retryAfterS: 600 },
  );
}
