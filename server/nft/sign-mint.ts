import type { Mint, MintAttempt, PrismaClient } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Network, SecretKey } from '@/server/env';
import { buildMint } from './build-mint';
import { findOpenAttempt } from './find-attempt';
import { quietUntil } from './mint-state';
import { signerOf } from './offline-umi';
import { signTransaction, type SignedTransaction } from './sign-transaction';
import { pickTree } from './tree-space';

export type SignResult =
  | { state: 'signed'; attempt: MintAttempt }
  | { state: 'waiting'; reason: string }
  | { state: 'lost_lease' };

/**
 * Signs the mint transaction and stores it; nothing is sent. A transaction that was signed before and
 * may still land is given back instead: a second one is never signed beside it. Throws RpcUnavailable.
 */
export async function signMint(o: {
  db: PrismaClient;
  rpc: Rpc;
  id: string;
  fence: bigint;
  minter: SecretKey;
  network: Network;
  priorityFeeMicroLamports: number;
  now: Date;
}): Promise<SignResult> {
  const { db, rpc, id, fence } = o;
  const open = await findOpenAttempt(db, id);
  if (open) return { state: 'signed', attempt: open };
  const mint = await db.mint.findFirst({ where: { id, fence, status: 'pending' } });
  if (!mint) return { state: 'lost_lease' };
  const tree = await pickTree(db, o.network);
  if (!tree) return { state: 'waiting', reason: 'no tree has room' };
  const blockhash = await rpc.getLatestBlockhash();
  const signer = signerOf(o.minter);
  const number = 1 + (await db.mintAttempt.count({ where: { mintId: id } }));
  const builder = buildMint({
    mint,
    tree: tree.address,
    minter: signer,
    priorityFeeMicroLamports: o.priorityFeeMicroLamports,
  });
  const signed = await signTransaction(builder, signer, blockhash);
  return store(o, { mint, tree: tree.address, number, signed });
}

/** One transaction: only the holder of the lease stores what it signed. */
function store(
  { db, fence, now }: { db: PrismaClient; fence: bigint; now: Date },
  o: { mint: Mint; tree: string; number: number; signed: SignedTransaction },
): Promise<SignResult> {
  const { mint, signed } = o;
  return db.$transaction(async (tx): Promise<SignResult> => {
    const { count } = await tx.mint.updateMany({
      where: { id: mint.id, fence, status: 'pending', stage: 'metadata_stored' },
      data: { stage: 'signed', lastError: null, updatedAt: now, redriveAt: quietUntil(now) },
    });
    if (count === 0) return { state: 'lost_lease' };
    const attempt = await tx.mintAttempt.create({
      data: {
        mintId: mint.id,
        number: o.number,
        tree: o.tree,
        signature: signed.signature,
        wire: signed.wire,
        lastValidBlockHeight: signed.lastValidBlockHeight,
        createdAt: now,
      },
    });
    return { state: 'signed', attempt };
  });
}
