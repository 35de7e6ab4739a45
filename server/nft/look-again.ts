import type { Mint, MintAttempt, PrismaClient } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import { findLandedAttempt } from './find-attempt';
import { judgeAttempt } from './judge-attempt';
import { readLeaf } from './read-leaf';
import { writeLeaf } from './record-leaf';
import { reopenMint } from './reopen-mint';
import { sendMint } from './send-mint';
import { writeFenced } from './write-fenced';
import type { Fenced } from './mint-state';

export type LookResult =
  | { state: 'closed' }
  | { state: 'not_yet' }
  /** The mint transaction is gone for good: sign another. */
  | { state: 'reopened' }
  | { state: 'lost_lease' };

/**
 * Looks at a completed mint again. Final: its leaf is read once more, since a fork may have given it
 * another slot and place, and the mint is closed. Gone for good: the mint is opened again. Neither: the
 * same bytes are sent once more where no node has them, and the answer is `not_yet`. Throws
 * RpcUnavailable.
 */
export async function lookAgain(o: {
  db: PrismaClient;
  rpc: Rpc;
  id: string;
  fence: bigint;
  now: Date;
}): Promise<LookResult> {
  const { db, rpc, id, fence, now } = o;
  const mint = await db.mint.findFirst({ where: { id, fence } });
  const attempt = await findLandedAttempt(db, id);
  if (!mint || !attempt) return { state: 'lost_lease' };
  if (mint.finalAt !== null) return { state: 'closed' };
  const verdict = await judgeAttempt({ rpc, attempt });
  if (verdict.state === 'landed' && verdict.isFinal) return close(o, mint, attempt);
  if (verdict.state === 'expired' || verdict.state === 'failed') {
    const reopened = await reopenMint({ db, attempt, fence, outcome: verdict.state, now });
    return { state: reopened === 'done' ? 'reopened' : reopened };
  }
  if (verdict.state === 'in_flight') await sendMint({ db, rpc, attempt, now });
  return { state: 'not_yet' };
}

async function close(
  o: { db: PrismaClient; rpc: Rpc; fence: bigint; now: Date },
  mint: Mint,
  attempt: MintAttempt,
): Promise<LookResult> {
  const minted = await readLeaf({ rpc: o.rpc, mint, attempt, commitment: 'finalized' });
  if (!minted) return { state: 'not_yet' };
  const closed = await o.db.$transaction(async (tx): Promise<Fenced> => {
    const written = await writeLeaf({ ...o, db: tx, mint, attempt, minted });
    if (written === 'lost_lease') return written;
    const final = { stage: 'closed', finalAt: o.now };
    return writeFenced({ db: tx, id: mint.id, fence: o.fence }, final);
  });
  return { state: closed === 'done' ? 'closed' : closed };
}
