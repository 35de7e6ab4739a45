import { type Mint, type MintAttempt, Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { noteServed } from '@/server/storage/stored-items';

/**
 * Steps of a mint in order; a mint's `stage` is the last one done. `final`: the transfer and its payment
 * are final. `landed`: the mint transaction was seen confirmed. `closed`: it was seen final.
 */
export const MINT_STAGES = [
  'requested',
  'final',
  'image_stored',
  'metadata_stored',
  'signed',
  'landed',
  'recorded',
  'closed',
] as const;
export type MintStage = (typeof MINT_STAGES)[number];

/** The kinds of things that have an NFT. */
export const MINT_KINDS = ['receipt', 'statement'] as const;
export type MintKind = (typeof MINT_KINDS)[number];

/** Result of a write that only the holder of the lease may make. */
export type Fenced = 'done' | 'lost_lease';

/** Refusals after which a mint waits until a person or a participant retries it. */
export const MOST_ATTEMPTS = 3;

/** Without a sign of life for this long, the sweep queues a mint again. */
export const QUIET_MS = 60_000;

/** Codes in `lastError` of mints whose transfer or payment vanished; these are never retried. */
export const DROPPED = ['transaction_dropped', 'payment_dropped'] as const;
export type DroppedCode = (typeof DROPPED)[number];

/** Texts of `lastError` without machine names or answers, with the public text for each. */
const PUBLIC_ERRORS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^(?:transaction|payment)_dropped$/, ([all]) => all],
  [
    /^storage: [\s\S]*?answered (?!200 )(\d{3})/,
    ([, status = '']) => `storage: answered ${status}`,
  ],
  [/^storage: /, () => 'storage: does not answer'],
  [/^undecided: /, () => 'undecided: the Solana nodes cannot say yet whether it landed'],
  [/program error (\d+)$/, ([, code = '']) => `the mint transaction failed: program error ${code}`],
  [/^the minter has too little SOL/, () => 'the service is short of SOL for network fees'],
  [/^no tree of this minter/, () => 'the service is making space for more receipts'],
  [/^the mint transaction expired/, () => 'the mint transaction did not land in time'],
];

/**
 * The public text of a mint's `lastError`. The column is for operators: it holds addresses of machines and
 * parts of their answers. An unknown text is never shown.
 */
export function publicError({ lastError }: { lastError: string | null }): string | null {
  if (lastError === null) return null;
  for (const [pattern, words] of PUBLIC_ERRORS) {
    const found = pattern.exec(lastError);
    if (found) return words(found);
  }
  return 'waiting for the Solana nodes';
}

/** Whether a stored stage is `least` or later. An unknown word is before every stage. */
export function isAtLeast(stage: string, least: MintStage): boolean {
  return MINT_STAGES.findIndex((one) => one === stage) >= MINT_STAGES.indexOf(least);
}

/** Stages before `stage`, for updates that only move forward. */
function stagesBefore(stage: MintStage): MintStage[] {
  return MINT_STAGES.slice(0, MINT_STAGES.indexOf(stage));
}

/** When the sweep may check a mint that gave a sign of life at `now`. */
export function quietUntil(now: Date): Date {
  return new Date(now.getTime() + QUIET_MS);
}

/** The fields of an NFT that are fixed before it is minted. */
export type NewMint = {
  /** Id of the receipt or statement. */
  id: string;
  kind: MintKind;
  /** Wallet that will receive the NFT. */
  owner: string;
  /** At most 32 bytes: a limit of the program. */
  name: string;
  /** At most 200 bytes: a limit of the program. */
  metadataUri: string;
  metadataItemId: string;
  imageItemId: string;
  /** Transactions that must be final first; null where there is none. */
  transactionSignature: string | null;
  paymentSignature: string | null;
  paid: boolean;
  /** Whether the payer proved that they asked for it; false where it is left out. */
  askedByPayer?: boolean;
};

const MOST_NAME_BYTES = 32;
const MOST_URI_BYTES = 200;

/**
 * Writes a pending mint inside the caller's transaction. Throws RangeError for a name or address that
 * the program would refuse, so that no receipt is promised which cannot be minted.
 */
export async function createMint(db: Db, fields: NewMint, now: Date): Promise<void> {
  if (Buffer.byteLength(fields.name) > MOST_NAME_BYTES)
    throw new RangeError(`the name of mint ${fields.id} is over ${MOST_NAME_BYTES} bytes`);
  if (Buffer.byteLength(fields.metadataUri) > MOST_URI_BYTES)
    throw new RangeError(
      `the metadata address of mint ${fields.id} is over ${MOST_URI_BYTES} bytes`,
    );
  const times = { createdAt: now, updatedAt: now, redriveAt: quietUntil(now) };
  await db.mint.create({ data: { ...fields, ...times }, select: { id: true } });
}

/**
 * Takes the lease on a mint for `leaseMs`, with a new fencing number that every later write must show.
 * The same owner may take it again; another only once it was released or ran out. Null when someone
 * else holds it or the mint does not exist.
 */
export async function claimMint(o: {
  db: Db;
  id: string;
  owner: string;
  leaseMs: number;
  now: Date;
}): Promise<{ mint: Mint; fence: bigint } | null> {
  const [mint] = await o.db.mint.updateManyAndReturn({
    where: {
      id: o.id,
      OR: [{ leaseOwner: null }, { leaseOwner: o.owner }, { leaseUntil: { lte: o.now } }],
    },
    data: {
      leaseOwner: o.owner,
      leaseUntil: new Date(o.now.getTime() + o.leaseMs),
      fence: { increment: 1 },
    },
  });
  return mint ? { mint, fence: mint.fence } : null;
}

/** Releases the lease. Nothing happens if someone else holds it now. */
export function releaseMint(o: { db: Db; id: string; fence: bigint }): Promise<Fenced> {
  return writeFenced(o, { leaseOwner: null, leaseUntil: null });
}

/**
 * Moves a mint forward to `stage` while `fence` is its fencing number. A mint that is already there
 * or further stays unchanged. It first notes, with or without the lease, that the gateway served
 * the item `stored`.
 */
export async function advanceStage(o: {
  db: Db;
  id: string;
  fence: bigint;
  stage: Exclude<MintStage, 'requested'>;
  now: Date;
  stored?: string;
}): Promise<Fenced> {
  const { stage, now, stored } = o;
  if (stored !== undefined) await noteServed(o.db, stored, now);
  const isBefore = Prisma.sql`stage in (${Prisma.join(stagesBefore(stage))})`;
  // Raw: what changes depends on the stage that the row has, and is one statement.
  const moved = await o.db.$executeRaw`
      update mints
      set stage = case when ${isBefore} then ${stage} else stage end,
        last_error = case when ${isBefore} then null else last_error end,
        redrive_at = case when ${isBefore} then ${quietUntil(now)} else redrive_at end,
        updated_at = ${now}
      where id = ${o.id} and fence = ${o.fence}`;
  return moved === 1 ? 'done' : 'lost_lease';
}

/**
 * Notes what a mint waits for. Waiting is not an attempt: nothing is counted. A waiting worker is alive,
 * so the sweep leaves it alone, but a longer interval that the sweep chose is kept.
 */
export async function noteWaiting(o: {
  db: Db;
  id: string;
  fence: bigint;
  reason: string;
  now: Date;
}): Promise<Fenced> {
  const count = await o.db.$executeRaw(Prisma.sql`
    update mints
    set last_error = ${o.reason}, updated_at = ${o.now},
      redrive_at = greatest(redrive_at, ${quietUntil(o.now)})
    where id = ${o.id} and fence = ${o.fence}`);
  return count === 1 ? 'done' : 'lost_lease';
}

export type StuckMint = { id: string; paid: boolean; redrives: number; updatedAt: Date };

/**
 * Mints that gave no sign of life since their time: pending ones, and completed ones whose transaction
 * was not yet seen final. Those paid for first, then longest waiting first.
 */
export function mintsToRedrive(db: Db, now: Date, limit: number): Promise<StuckMint[]> {
  return db.mint.findMany({
    where: { status: { not: 'failed' }, finalAt: null, redriveAt: { lte: now } },
    orderBy: [{ paid: 'desc' }, { redriveAt: 'asc' }],
    take: limit,
    select: { id: true, paid: true, redrives: true, updatedAt: true },
  });
}

const LONGEST_SPACING_MS = 3_600_000;

/**
 * Notes that the job server accepted the sweep's event for a mint, and when the sweep may send the
 * next one. The delay equals the time without progress: 1, 2, 4 ... minutes up to an hour, and one
 * minute again after progress. If a run moved the mint meanwhile, the time that the run set stays.
 * Returns the number of this repeat, or null if another sweep was faster.
 */
export async function markRedriven(db: Db, mint: StuckMint, now: Date): Promise<number | null> {
  const quietMs = now.getTime() - mint.updatedAt.getTime();
  const spacingMs = Math.min(LONGEST_SPACING_MS, Math.max(QUIET_MS, quietMs));
  const next = new Date(now.getTime() + spacingMs);
  const count = await db.$executeRaw`
    update mints set redrives = redrives + 1,
        redrive_at = case when redrive_at <= ${now} then ${next} else redrive_at end
      where id = ${mint.id} and redrives = ${mint.redrives} and status <> 'failed'`;
  return count === 1 ? mint.redrives + 1 : null;
}

/** The signed transaction of a mint that may still land, or null. There is at most one. */
export function findOpenAttempt(db: Db, mintId: string): Promise<MintAttempt | null> {
  return db.mintAttempt.findFirst({ where: { mintId, outcome: null } });
}

/** The signed transaction of a mint that landed, or null. */
export function findLandedAttempt(db: Db, mintId: string): Promise<MintAttempt | null> {
  return db.mintAttempt.findFirst({
    where: { mintId, outcome: 'landed' },
    orderBy: { number: 'desc' },
  });
}

/**
 * Changes a mint only while `fence` is its fencing number, in one UPDATE. So a worker that slept
 * past its lease cannot overwrite the changes of the next one. `also` narrows which rows qualify.
 */
export async function writeFenced(
  o: { db: Db; id: string; fence: bigint },
  data: Prisma.MintUpdateManyMutationInput,
  also: Prisma.MintWhereInput = {},
): Promise<Fenced> {
  const { count } = await o.db.mint.updateMany({
    where: { ...also, id: o.id, fence: o.fence },
    data,
  });
  return count === 1 ? 'done' : 'lost_lease';
}
