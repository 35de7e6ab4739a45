import type { Db } from '@/server/db/client';
import { quietUntil, stagesBefore, type Fenced, type MintStage } from './mint-state';
import { writeFenced } from './write-fenced';

/** Moves a mint forward to `stage`; one that is already there or further stays as it is. */
export async function advanceStage(o: {
  db: Db;
  id: string;
  fence: bigint;
  stage: MintStage;
  now: Date;
}): Promise<Fenced> {
  const moved = await writeFenced(
    o,
    { stage: o.stage, lastError: null, updatedAt: o.now, redriveAt: quietUntil(o.now) },
    { stage: { in: stagesBefore(o.stage) } },
  );
  if (moved === 'done') return moved;
  return writeFenced(o, { updatedAt: o.now });
}
