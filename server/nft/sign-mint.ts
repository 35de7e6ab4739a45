import { mintV2 } from '@metaplex-foundation/mpl-bubblegum';
import { setComputeUnitLimit, setComputeUnitPrice } from '@metaplex-foundation/mpl-toolbox';
import { publicKey, type Signer, type TransactionBuilder } from '@metaplex-foundation/umi';
import { mintMetadataArgs } from '@quittance/verify/nft/leaf';
import { type Mint, type MintAttempt, Prisma, type PrismaClient } from '@/generated/prisma/client';
import { MARGIN_BLOCKS } from '@/server/chain/landing-margin';
import type { Rpc } from '@/server/chain/rpc';
import { noteLongOpen } from '@/server/chain/undecided-transactions';
import type { Db } from '@/server/db/client';
import type { Network, SecretKey } from '@/server/env';
import { pickCollection } from './collections';
import { landedAfterAll, OVER, recordLateLanding } from './look-again';
import { findOpenAttempt, quietUntil } from './mint-rows';
import { offlineUmi, type SignedTransaction, signerOf, signTransaction } from './offline-umi';
import { pickTree } from './trees';

export type SignResult =
  | { state: 'signed'; attempt: MintAttempt }
  /** An earlier transaction that counted as expired or failed landed after all: there is nothing to sign. */
  | { state: 'landed' }
  | { state: 'waiting'; reason: string }
  | { state: 'lost_lease' };

/**
 * Signs the mint transaction and stores it, and sends nothing. If an earlier signed transaction may
 * still land, that one is returned. A second one is never signed while one is open, nor after one
 * that counted as expired or failed and landed after all. Throws RpcUnavailable.
 */
export async function signMint(o: {
  db: PrismaClient;
  rpc: Rpc;
  mint: Mint;
  fence: bigint;
  minter: SecretKey;
  network: Network;
  priorityFeeMicroLamports: number;
  /** Whether receipts that their payer asked for go into the frozen collection. False by default. */
  frozenReceipts?: boolean;
  now: Date;
}): Promise<SignResult> {
  const { db, rpc, mint, fence, now, frozenReceipts = false } = o;
  // At this stage none is open: opening or ending one moves the stage as well.
  const open = mint.stage === 'metadata_stored' ? null : await findOpenAttempt(db, mint.id);
  if (open) return { state: 'signed', attempt: open };
  const late = await findLateLanding(o);
  if (late) return late;
  const owner = { network: o.network, minter: o.minter.publicKey };
  const tree = await pickTree(db, owner);
  if (!tree) return { state: 'waiting', reason: 'no tree of this minter has space' };
  const picked = await pickCollection(db, { ...owner, mint, frozenReceipts });
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
  // Another node may know a later block than those that returned the height.
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

/** Checks again the attempts that expired or failed. A mint that never had one costs nothing. */
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

/**
 * A single node reports these as final. Nothing else is signed until a second node does, or the
 * operator closes them.
 */
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

/** Measured with the real programs: 47,000 to 64,000 units, with a collection 72,000 to 84,000. */
const UNITS = 120_000;
const UNITS_WITH_COLLECTION = 150_000;

/**
 * The transaction that mints one NFT to its owner. It has limit and price of compute, then
 * `mint_v2` with the minter as payer, tree authority and verified creator.
 */
export function buildMint(o: {
  mint: Pick<Mint, 'name' | 'metadataUri' | 'owner'>;
  /** Collection of the minter that the NFT goes into; null for none. */
  collection: string | null;
  tree: string;
  minter: Signer;
  priorityFeeMicroLamports: number;
}): TransactionBuilder {
  const umi = offlineUmi();
  const { mint, minter, collection } = o;
  const units = collection === null ? UNITS : UNITS_WITH_COLLECTION;
  return setComputeUnitLimit(umi, { units })
    .add(setComputeUnitPrice(umi, { microLamports: o.priorityFeeMicroLamports }))
    .add(
      mintV2(umi, {
        payer: minter,
        leafOwner: publicKey(mint.owner),
        merkleTree: publicKey(o.tree),
        metadata: mintMetadataArgs({
          name: mint.name,
          uri: mint.metadataUri,
          creator: minter.publicKey,
          collection,
        }),
        ...(collection === null ? {} : { coreCollection: publicKey(collection) }),
      }),
    );
}

/**
 * Stores a signed mint transaction and moves its mint to `signed`, in one statement: only the holder of
 * the lease stores what it signed. Null, with nothing written, for anyone else. Throws when the mint
 * has a transaction that may still land or landed: the database takes no second one.
 */
async function storeAttempt(o: {
  db: Db;
  mintId: string;
  fence: bigint;
  tree: string;
  collection: string | null;
  signed: SignedTransaction;
  now: Date;
}): Promise<MintAttempt | null> {
  const { signed, now } = o;
  const { signature, wire, lastValidBlockHeight } = signed;
  const [row] = await o.db.$queryRaw<{ id: bigint; number: number }[]>(Prisma.sql`
    with moved as (
      update mints
      set stage = 'signed', last_error = null, updated_at = ${now}, redrive_at = ${quietUntil(now)},
        collection = ${o.collection}
      where id = ${o.mintId} and fence = ${o.fence} and status = 'pending'
        and stage = 'metadata_stored'
      returning id
    )
    insert into mint_attempts
      (mint_id, number, tree, signature, wire, last_valid_block_height, created_at)
    select
      moved.id,
      1 + (select count(*) from mint_attempts earlier where earlier.mint_id = moved.id)::int,
      ${o.tree}, ${signature}, ${wire}, ${lastValidBlockHeight}, ${now}
    from moved
    returning id, number`);
  if (!row) return null;
  return {
    ...row,
    mintId: o.mintId,
    tree: o.tree,
    signature,
    wire,
    lastValidBlockHeight,
    outcome: null,
    error: null,
    sentAt: null,
    createdAt: now,
    settledAt: null,
    costLamports: null,
  };
}
