import { setTimeout as sleep } from 'node:timers/promises';
import { RpcRefused } from '@quittance/verify/chain/rpc-errors';
import type { BegunAccount, Prisma } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import { mayHaveLanded } from '@/server/chain/send-to-all';
import { type Db, isNotUnique } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import type { Network } from '@/server/env';
import { judgeAttempt } from './judge-attempt';
import type { CollectionContents } from './collections';
import { describeError, type SignedTransaction } from './offline-umi';

/** `tree`, or a collection by what it holds. */
export type AccountKind = 'tree' | CollectionContents;

type Owner = { network: Network; minter: string; what: AccountKind };
type World = { db: Db; rpc: Rpc };

/**
 * Creates an account on chain and records it with `register`. Its signed transaction is stored before it is
 * sent. An account that an earlier run began is finished, not created again. Only when its transaction can no
 * longer land is another signed. `onAddress` gets the address before anything is spent. Throws Error when the
 * chain refuses or the nodes cannot prove what became of the transaction, and RpcUnavailable. A second run continues
 * there.
 */
export async function makeAccount<T>(
  o: World &
    Owner & {
      sign: () => Promise<{ address: string; signed: SignedTransaction }>;
      register: (address: string) => Promise<T>;
      onAddress?: ((address: string) => void) | undefined;
    },
): Promise<T> {
  const since = await databaseNow(o.db);
  const earlier = await findBegun(o.db, o);
  if (earlier && (await sendBegun(o, earlier)) === 'landed') return finish(o, earlier);
  const begun = await begin(o, { ...(await o.sign()), since });
  if ((await sendBegun(o, begun)) === 'landed') return finish(o, begun);
  throw new Error(`transaction ${begun.signature} did not land in time; run it again`);
}

/** Accounts of a minter that were begun and may still be created. */
function listBegun(db: Db, o: Omit<Owner, 'what'>): Promise<BegunAccount[]> {
  const { network, minter } = o;
  return db.begunAccount.findMany({ where: { network, minter, outcome: null }, take: 10 });
}

/** Drops a begun account on the operator's word. The next run begins another one. */
export async function abandonBegun(db: Db, o: Omit<Owner, 'what'>): Promise<string[]> {
  const begun = await listBegun(db, o);
  for (const one of begun) await settle(db, one, 'abandoned');
  return begun.map(({ address }) => address);
}

function findBegun(db: Db, { network, minter, what }: Owner): Promise<BegunAccount | null> {
  return db.begunAccount.findFirst({ where: { network, minter, what, outcome: null } });
}

/**
 * Records the transaction before it is sent. If another run was faster, its account is used
 * instead. It is one that the run is about to create, or one that it created after `since`, when
 * this run began.
 */
async function begin(
  o: World & Owner,
  made: { address: string; signed: SignedTransaction; since: Date },
): Promise<BegunAccount> {
  const { db, network, minter, what } = o;
  const { signature, wire, lastValidBlockHeight } = made.signed;
  const createdAt = await databaseNow(db);
  const row = { network, minter, what, signature, wire, lastValidBlockHeight, createdAt };
  const findMade = () =>
    db.begunAccount.findFirst({
      where: { network, minter, what, outcome: 'landed', settledAt: { gte: made.since } },
    });
  const own = await createIfAlone(db, { ...row, address: made.address });
  if (own === null) {
    const other = (await findBegun(db, o)) ?? (await findMade());
    if (!other) throw new Error('another run began it and gave up; run it again');
    return other;
  }
  // While this one is open no other can be begun, so this search misses none.
  const other = await findMade();
  if (other) await settle(db, own, 'abandoned');
  return other ?? own;
}

/** Null if one of its kind is open already. */
async function createIfAlone(
  db: Db,
  data: Prisma.BegunAccountCreateInput,
): Promise<BegunAccount | null> {
  try {
    return await db.begunAccount.create({ data });
  } catch (error) {
    if (isNotUnique(error)) return null;
    throw error;
  }
}

async function sendBegun(
  o: World & { onAddress?: ((address: string) => void) | undefined },
  begun: BegunAccount,
): Promise<'landed' | 'expired'> {
  o.onAddress?.(begun.address);
  const settled = await sendUntilSettled(o.rpc, begun);
  if (settled.state === 'landed') return 'landed';
  await settle(o.db, begun, settled.state);
  if (settled.state === 'failed') throw new Error(settled.error);
  return 'expired';
}

/** Registers first: a crash in between leaves it begun, and the next run registers it. */
async function finish<T>(
  o: World & { register: (address: string) => Promise<T> },
  begun: BegunAccount,
): Promise<T> {
  const registered = await o.register(begun.address);
  await settle(o.db, begun, 'landed');
  return registered;
}

async function settle(
  db: Db,
  { address }: BegunAccount,
  outcome: 'landed' | 'failed' | 'expired' | 'abandoned',
): Promise<void> {
  const settledAt = await databaseNow(db);
  await db.begunAccount.updateMany({
    where: { address, outcome: null },
    data: { outcome, settledAt },
  });
}

const POLL_MS = 400;
const LOOKS_BETWEEN_SENDS = 5;

/** Failed: it landed with an error. Expired: it is proven that it can no longer land. */
export type Settled =
  { state: 'landed'; slot: bigint } | { state: 'failed'; error: string } | { state: 'expired' };

type Sendable = Pick<SignedTransaction, 'signature' | 'wire' | 'lastValidBlockHeight'>;

/**
 * Sends an operator's transaction and polls until it is confirmed, failed or can no longer land. Throws Error
 * when a node refuses it or the nodes cannot prove what became of it, and RpcUnavailable.
 */
export async function sendUntilSettled(rpc: Rpc, signed: Sendable): Promise<Settled> {
  const wire = Buffer.from(signed.wire).toString('base64');
  for (let look = 0; ; look += 1) {
    if (look % LOOKS_BETWEEN_SENDS === 0) await send(rpc, wire, look > 0);
    const verdict = await judgeAttempt({ rpc, attempt: signed });
    if (verdict.state === 'landed') return { state: 'landed', slot: verdict.slot };
    if (verdict.state === 'expired') return { state: 'expired' };
    if (verdict.state === 'failed')
      return {
        state: 'failed',
        error: `transaction ${signed.signature} failed: ${describeError(verdict.err)}`,
      };
    if (verdict.state === 'undecided')
      throw new Error(
        `the nodes cannot prove whether transaction ${signed.signature} landed: ${verdict.reason}. Look it up in an explorer before you repeat the command`,
      );
    await sleep(POLL_MS);
  }
}

async function send(rpc: Rpc, wire: string, isRepeat: boolean): Promise<void> {
  try {
    await rpc.sendTransaction(wire, { skipPreflight: isRepeat });
  } catch (error) {
    if (!(error instanceof RpcRefused) || !mayHaveLanded(error)) throw error;
  }
}
