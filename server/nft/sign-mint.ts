import type { Mint, MintAttempt, PrismaClient } from '@/generated/prisma/client';
import { MARGIN_BLOCKS } from '@/server/chain/landing-margin';
import type { Rpc } from '@/server/chain/rpc';
import { noteLongOpen } from '@/server/chain/undecided';
import type { Network, SecretKey } from '@/server/env';
import { buildMint } from './build-mint';
import { pickCollection } from './collections';
import { findOpenAttempt } from './find-attempt';
import { landedAfterAll, OVER, recordLateLanding } from './landed-after-all';
import { signerOf } from './offline-umi';
import { signTransaction } from './sign-transaction';
import { storeAttempt } from './store-attempt';
import { pickTree } from './tree-space';

export type SignResult =
  | { state: 'signed'; attempt: MintAttempt }
  /** An earlier transaction that counted as expired or failed landed after all: there is nothing to sign. */
  | { state: 'landed' }
  | { state: 'waiting'; reason: string }
  | { state: 'lost_lease' };

/**
 * Signs the mint transaction and stores it; nothing is sent. A transaction that was signed before and
 * may still land is given back instead: a second one is never signed beside it, nor after one that counted as
 * expired or failed and is there after all. Throws RpcUnavailable.
 */
export async function signMint(o: {
  db: PrismaClient;
  rpc: Rpc;
  mint: Mint;
  fence: bigint;
  minter: SecretKey;
  network: Network;
  priorityFeeMicroLamports: number;
  now: Date;
}): Promise<SignResult> {
  const { db, rpc, mint, fence, now } = o;
  // At this stage none is open: whatever opens or ends one moves the stage with it.
  const open = mint.stage === 'metadata_stored' ? null : await findOpenAttempt(db, mint.id);
  if (open) return { state: 'signed', attempt: open };
  const late = await findLateLanding(o);
  if (late) return late;
  const owner = { network: o.network, minter: o.minter.publicKey };
  const tree = await pickTree(db, owner);
  if (!tree) return { state: 'waiting', reason: 'no tree of this minter has room' };
  const picked = await pickCollection(db, { ...owner, holds: mint.kind });
  const collection = picked?.address ?? null;
  const blockhash = await rpc.getLatestBlockhash();
  const signer = signerOf(o.minter);
  const builder = buildMint({
    mint,
    collection,
    tree: tree.address,
    minter: signer,
    priorityFeeMicroLamports: o.priorityFeeMicroLamports,
  });
  const signed = await signTransaction(builder, signer, blockhash);
  // Another node may know a later block than those that told the height.
  signed.lastValidBlockHeight += MARGIN_BLOCKS;
  const attempt = await storeAttempt({
    db,
    mintId: mint.id,
    fence,
    tree: tree.address,
    collection,
    signed,
    now,
  });
  return attempt ? { state: 'signed', attempt } : { state: 'lost_lease' };
}

/** Looks once more at the attempts that expired or failed; a mint that never had one costs nothing. */
async function findLateLanding(o: {
  db: PrismaClient;
  rpc: Rpc;
  mint: Mint;
  fence: bigint;
  now: Date;
}): Promise<SignResult | null> {
  const { db, rpc, mint, fence, now } = o;
  if (mint.attempts === 0 && mint.lastError === null && mint.redrives === 0) return null;
  const over = await db.mintAttempt.findMany({
    where: { mintId: mint.id, outcome: { in: [...OVER] } },
  });
  const { landed, unwitnessed } = await landedAfterAll(rpc, over);
  const [attempt] = landed;
  if (!attempt) return waitForWitness(o, unwitnessed);
  const recorded = await recordLateLanding({ db, attempt, fence, now });
  return recorded === 'recorded' ? { state: 'landed' } : { state: 'lost_lease' };
}

/** One node alone calls these final. Nothing is signed beside them until a second one does, or the operator closes them. */
async function waitForWitness(
  { db, mint, now }: { db: PrismaClient; mint: Mint; now: Date },
  attempts: readonly MintAttempt[],
): Promise<SignResult | null> {
  for (const { signature, createdAt: since } of attempts) {
    const reason = 'one node alone calls it final';
    const one = { signature, kind: 'mint', subject: mint.id, reason, since, now } as const;
    if ((await noteLongOpen(db, one)) !== 'closed')
      return { state: 'waiting', reason: `${reason}: ${signature}` };
  }
  return null;
}
