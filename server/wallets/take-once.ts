import { createHash } from 'node:crypto';
import type { Db } from '@/server/db/client';

/** Notes that a signed text was used; false when it was before. Kept until `expiresAt`. */
export async function takeOnce(db: Db, o: { text: string; expiresAt: Date }): Promise<boolean> {
  const textSha256 = createHash('sha256').update(o.text).digest('hex');
  const { count } = await db.usedProof.createMany({
    data: [{ textSha256, expiresAt: o.expiresAt }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** Deletes nonces, sessions and used texts whose time is over. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  const expired = { where: { expiresAt: { lte: now } } };
  await db.signInNonce.deleteMany(expired);
  await db.session.deleteMany(expired);
  await db.usedProof.deleteMany(expired);
}
