import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { quietUntil, stagesBefore, type Fenced, type MintStage } from './mint-state';

/**
 * Moves a mint forward to `stage` while `fence` is its fencing number; one that is already there or further
 * stays as it is. With it goes, in the same statement, when the gateway first served the item `stored`.
 */
export async function advanceStage(o: {
  db: Db;
  id: string;
  fence: bigint;
  stage: Exclude<MintStage, 'requested'>;
  now: Date;
  stored?: string;
}): Promise<Fenced> {
  const { stage, now, stored = null } = o;
  const isBefore = Prisma.sql`stage in (${Prisma.join(stagesBefore(stage))})`;
  const [row] = await o.db.$queryRaw<{ moved: bigint }[]>(Prisma.sql`
    with moved as (
      update mints
      set stage = case when ${isBefore} then ${stage} else stage end,
        last_error = case when ${isBefore} then null else last_error end,
        redrive_at = case when ${isBefore} then ${quietUntil(now)} else redrive_at end,
        updated_at = ${now}
      where id = ${o.id} and fence = ${o.fence}
      returning id
    ), noted as (
      update stored_items set uploaded_at = ${now} where id = ${stored} and uploaded_at is null
    )
    select count(*) as moved from moved`);
  return row?.moved === 1n ? 'done' : 'lost_lease';
}
