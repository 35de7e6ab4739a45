import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import {
  COLLECTION_AT,
  dataHashOf,
  decodeLeafEvents,
  isMintInstruction,
  type LeafEvent,
  mintMetadataArgs,
  optionalAccount,
} from '@quittance/verify/nft/leaf';
import bs58 from 'bs58';
import { type Mint, type MintAttempt, Prisma, type PrismaClient } from '@/generated/prisma/client';
import { LANDING_WINDOW_BLOCKS } from '@/server/chain/landing-margin';
import { signatureFinality } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { noteLongOpen, noteUndecided } from '@/server/chain/undecided-transactions';
import type { Db } from '@/server/db/client';
import { judgeAttempt, type Verdict } from './judge-attempt';
import { type Fenced, quietUntil } from './mint-rows';
import { offlineUmi } from './offline-umi';
import { reopenMint } from './retry-mint';

/** Leaf of a mint as its transaction wrote it, with the slot it is in and what the minter paid. */
export type MintedLeaf = { leaf: LeafEvent; slot: bigint; costLamports: bigint };

/**
 * Reads the leaf that a landed mint transaction wrote and checks that it is the one asked for: tree,
 * owner, collection and metadata. Each node is asked in turn, and the first that shows it counts. Null when none
 * of those that answer does: a node may lack the transaction or a part of it, or give another. Throws
 * RpcUnavailable when none answers.
 */
export async function readLeaf(o: {
  rpc: Pick<Rpc, 'nodes' | 'onNode'>;
  mint: Mint;
  attempt: Pick<MintAttempt, 'signature' | 'tree' | 'wire'>;
  commitment: 'confirmed' | 'finalized';
}): Promise<MintedLeaf | null> {
  let isAnswered = false;
  for (let node = 0; node < o.rpc.nodes; node += 1) {
    const raw = await giveOrSilence(o, node);
    if (raw === undefined) continue;
    isAnswered = true;
    const minted = raw && leafOf(raw, o);
    if (minted) return minted;
  }
  if (isAnswered) return null;
  throw new RpcUnavailable(`no node returns the mint transaction ${o.attempt.signature}`);
}

type Wanted = Parameters<typeof readLeaf>[0];

/** The transaction from one node; undefined for a node that does not answer or refuses. */
async function giveOrSilence(
  { rpc, attempt, commitment }: Wanted,
  node: number,
): Promise<RawTransaction | null | undefined> {
  try {
    return await rpc.onNode(node).getTransaction(attempt.signature, commitment);
  } catch (error) {
    if (isNodeSilence(error)) return undefined;
    throw error;
  }
}

function leafOf(raw: RawTransaction, { mint, attempt }: Wanted): MintedLeaf | null {
  // Landed on one fork and failed on another: the status will show which of them stays.
  if (!raw.meta || (raw.meta.err !== null && raw.meta.err !== undefined)) return null;
  const signed = { tree: attempt.tree, collection: signedCollection(attempt.wire) };
  const leaf = leavesOf(raw).find((one) => isOurs(one, mint, signed));
  return leaf ? { leaf, slot: BigInt(raw.slot), costLamports: costOf(raw) } : null;
}

/** None in an answer that is truncated: another node may return all of it. */
function leavesOf(raw: RawTransaction): LeafEvent[] {
  try {
    return decodeLeafEvents(raw);
  } catch {
    return [];
  }
}

/**
 * The lamports that a transaction took from its fee payer, by the balances of that account. They
 * cover network fee, priority fee and the fee of the Bubblegum program.
 */
export function costOf({ meta }: RawTransaction): bigint {
  const [before] = meta?.preBalances ?? [];
  const [after] = meta?.postBalances ?? [];
  return BigInt(before ?? 0) - BigInt(after ?? 0);
}

function isOurs(
  leaf: LeafEvent,
  mint: Mint,
  signed: { tree: string; collection: string | null },
): boolean {
  const expected = mintMetadataArgs({
    name: mint.name,
    uri: mint.metadataUri,
    // The key that signed. It may no longer be the one in use.
    creator: leaf.treeAuthority,
    collection: signed.collection,
  });
  return (
    leaf.tree === signed.tree &&
    leaf.owner === mint.owner &&
    leaf.collection === signed.collection &&
    leaf.dataHash === dataHashOf(expected)
  );
}

/** Collection that a signed mint transaction mints into; null for one without. Throws Error for other bytes. */
function signedCollection(wire: Uint8Array): string | null {
  const { message } = offlineUmi().transactions.deserialize(wire);
  const accounts = message.accounts.map(String);
  for (const { programIndex, accountIndexes, data } of message.instructions) {
    const read = { program: accounts[programIndex] ?? '', data: Buffer.from(data) };
    if (isMintInstruction(read))
      return optionalAccount(accounts[accountIndexes[COLLECTION_AT] ?? -1]);
  }
  throw new Error(`${bs58.encode(wire.subarray(1, 65))} is not a mint transaction`);
}

/** An owned mint, its transaction that landed, and what checks it. */
export type LandedMint = {
  db: PrismaClient;
  rpc: Rpc;
  mint: Mint;
  attempt: MintAttempt;
  fence: bigint;
  now: Date;
};

export type RecordResult =
  | { state: 'recorded'; assetId: string }
  /** No node shows the leaf of the transaction at the moment. */
  | { state: 'waiting'; reason: string }
  /** The transaction can no longer land: sign another. */
  | { state: 'reopened' }
  | { state: 'lost_lease' };

/** Reads the leaf from the landed transaction and completes the mint. Throws RpcUnavailable. */
export async function recordLeaf(o: LandedMint): Promise<RecordResult> {
  const { rpc, mint, attempt } = o;
  const minted = await readLeaf({ rpc, mint, attempt, commitment: 'confirmed' });
  if (!minted) return lookForGone(o);
  const written = await writeLeaf({ ...o, minted, stage: 'recorded' });
  return written === 'done'
    ? { state: 'recorded', assetId: minted.leaf.assetId }
    : { state: written };
}

async function lookForGone(o: LandedMint): Promise<RecordResult> {
  const verdict = await judgeLanded(o);
  if (verdict.state === 'undecided')
    return { state: 'waiting', reason: `undecided: ${verdict.reason}` };
  const reason = 'no node shows the leaf of the mint transaction yet';
  const isOver = verdict.state === 'expired' || verdict.state === 'failed';
  if (!isOver && !(await isClosedOnRecord(o, reason))) return { state: 'waiting', reason };
  const reopened = await reopenMint({ ...o, outcome: isOver ? verdict.state : 'expired' });
  return { state: reopened === 'done' ? 'reopened' : reopened };
}

/**
 * Records a mint transaction that has been open for over an hour, and returns whether the operator closed it. A
 * close no longer counts once two nodes (or the only one) know the transaction as final.
 */
export async function isClosedOnRecord(o: LandedMint, reason: string): Promise<boolean> {
  const { signature, mintId: subject, createdAt: since } = o.attempt;
  const one = { signature, kind: 'mint', subject, reason, since, now: o.now } as const;
  return (await noteLongOpen(o.db, one)) === 'closed' && !(await isKnownFinal(o));
}

async function isKnownFinal({ rpc, attempt }: LandedMint): Promise<boolean> {
  try {
    return (await signatureFinality({ rpc, signature: attempt.signature })) === 'finalized';
  } catch (error) {
    if (isNodeSilence(error)) return false;
    throw error;
  }
}

/**
 * The outcome of a transaction that was seen to land. If the nodes cannot prove it, that is
 * recorded. A transaction that the operator closed counts as expired.
 */
export async function judgeLanded(o: LandedMint): Promise<Verdict> {
  const { rpc, attempt } = o;
  const verdict = await judgeAttempt({ rpc, attempt, windowBlocks: LANDING_WINDOW_BLOCKS });
  if (verdict.state !== 'undecided') return verdict;
  const { signature, mintId: subject } = o.attempt;
  const { reason } = verdict;
  const noted = await noteUndecided(o.db, { signature, kind: 'mint', subject, reason });
  return noted === 'closed' ? { state: 'expired' } : verdict;
}

/**
 * Writes the leaf's facts, completes the mint (`closed`: finally, with its cost) and counts the leaf in its
 * tree, in one statement. The count is never lowered: mints are recorded in any order.
 */
export async function writeLeaf(o: {
  db: Db;
  mint: Mint;
  attempt: MintAttempt;
  minted: MintedLeaf;
  stage: 'recorded' | 'closed';
  fence: bigint;
  now: Date;
}): Promise<Fenced> {
  const { now } = o;
  const { leaf, slot, costLamports } = o.minted;
  const leaves = leaf.leafIndex + 1n;
  const [row] = await o.db.$queryRaw<{ written: bigint }[]>(Prisma.sql`
    with written as (
      update mints
      set status = 'completed', stage = ${o.stage}, last_error = null,
        mint_signature = ${o.attempt.signature}, mint_slot = ${slot}, tree = ${leaf.tree},
        leaf_index = ${leaf.leafIndex}, asset_id = ${leaf.assetId},
        collection = ${leaf.collection},
        completed_at = coalesce(completed_at, ${now}), updated_at = ${now},
        redrive_at = ${quietUntil(now)},
        final_at = case when ${o.stage} = 'closed' then ${now} else final_at end
      where id = ${o.mint.id} and fence = ${o.fence} and stage in ('landed', 'recorded')
      returning id
    ), costed as (
      update mint_attempts set cost_lamports = ${costLamports}
      where id = ${o.attempt.id} and ${o.stage} = 'closed' and exists (select 1 from written)
    ), counted as (
      update trees set minted = ${leaves}
      where address = ${leaf.tree} and minted < ${leaves} and exists (select 1 from written)
    )
    select count(*) as written from written`);
  return row?.written === 1n ? 'done' : 'lost_lease';
}
