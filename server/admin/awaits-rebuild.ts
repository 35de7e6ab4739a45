import type { ServiceContext } from '@/server/context';

/** Action of the audit row with which a rebuild ends. */
export const REBUILT = 'service.rebuild';
const ASKED_EVERY_MS = 2_000;

let known: { label: string; isRebuilt: boolean; at: number } | undefined;

/**
 * Whether the database is from an old backup (`RESTORE` names it) that does not yet have everything the
 * chain knows. Until then nothing is sold or minted, because it might have been sold or minted before.
 */
export async function awaitsRebuild({
  db,
  env,
}: Pick<ServiceContext, 'db' | 'env'>): Promise<boolean> {
  const label = env.restore;
  if (label === null) return false;
  const now = performance.now();
  if (known?.label !== label || (!known.isRebuilt && now - known.at > ASKED_EVERY_MS)) {
    const row = await db.auditEntry.findFirst({
      where: { action: REBUILT, subject: label },
      select: { id: true },
    });
    known = { label, isRebuilt: row !== null, at: now };
  }
  return !known.isRebuilt;
}
