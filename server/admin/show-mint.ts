import type { AuditEntry, Mint, MintAttempt } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

export type MintStory = {
  mint: Mint;
  tries: Omit<MintAttempt, 'wire'>[];
  audit: AuditEntry[];
};

const MOST_ENTRIES = 200;

/** All that is on record about a mint: its row, each transaction that was signed for it, and who did what. */
export async function showMint(db: Db, id: string): Promise<MintStory | null> {
  const mint = await db.mint.findUnique({ where: { id } });
  if (!mint) return null;
  const [tries, audit] = await Promise.all([
    db.mintAttempt.findMany({
      where: { mintId: id },
      omit: { wire: true },
      orderBy: { number: 'asc' },
      take: MOST_ENTRIES,
    }),
    db.auditEntry.findMany({
      where: { subject: id },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
      take: MOST_ENTRIES,
    }),
  ]);
  return { mint, tries, audit };
}
