import { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { listOwnedAccounts, tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import { refuse, withFinality } from '@quittance/verify/chain/transfer';
import type { ServiceContext } from '@/server/context';
import { fetchListed, listedAtOnce, SCAN_WIDTH } from './fetch-transaction';
import { BoundedMap, perChain } from './per-chain';
import { type FinalReading, loadFinalReadings, storeTransferReadings } from './stored-reading';

/** Readings that one statement stores: the most that a crash may lose. */
const STORE_AT_ONCE = 200;

export type ScanContext = Pick<ServiceContext, 'db' | 'env' | 'rpc' | 'clock'>;

/** A transaction of a history, with its reading. */
export type ScannedTransaction = FinalReading & {
  isFinal: boolean;
  /** Position in its block; left out if no node returned it. */
  blockIndex?: number | undefined;
};

/**
 * Reads the transactions of a history: known ones from the database, the others from the chain,
 * {@link SCAN_WIDTH} at once. Each final one is kept, also when the chain then fails, so that the
 * next scan continues from there. Throws RpcUnavailable in that case: nothing is left out. A failed
 * transaction moved only its fee, and the history already says so. It is read only for a caller who
 * asks for fees.
 */
export async function scanTransactions(
  ctx: ScanContext,
  lines: readonly SignatureLine[],
  o: { withFees: boolean } = { withFees: false },
): Promise<ScannedTransaction[]> {
  const isAsked = ({ failed }: SignatureLine): boolean => o.withFees || !failed;
  const asked = lines.filter(isAsked);
  const known = await loadKnown(
    ctx,
    asked.filter(({ final }) => final).map(({ signature }) => signature),
  );
  const missing = asked.filter(({ signature }) => !known.has(signature));
  const read = missing.length === 0 ? known : await readMissing(ctx, missing, known);
  return lines.map((line) => {
    const { signature, slot, blockTime, final: isFinal } = line;
    if (!isAsked(line))
      return {
        signature,
        slot,
        blockTime,
        isFinal,
        reading: refuse('transaction_failed', 'the chain says that it failed'),
      };
    const reading = read.get(signature);
    if (!reading) throw new RpcUnavailable(`${signature} was not read`);
    const blockIndex = reading.reading.movements?.blockIndex ?? line.blockIndex ?? undefined;
    return { ...reading, blockIndex, isFinal };
  });
}

async function loadKnown(
  ctx: ScanContext,
  signatures: readonly string[],
): Promise<Map<string, FinalReading>> {
  const recent = recentReadings(ctx.rpc);
  const known = new Map<string, FinalReading>();
  const others: string[] = [];
  for (const signature of signatures) {
    const reading = recent.get(signature);
    if (reading) known.set(signature, reading);
    else others.push(signature);
  }
  for (const [signature, reading] of await loadFinalReadings(ctx, others)) {
    known.set(signature, reading);
    recent.set(signature, reading);
  }
  return known;
}

async function readMissing(
  ctx: ScanContext,
  missing: readonly SignatureLine[],
  known: Map<string, FinalReading>,
): Promise<Map<string, FinalReading>> {
  let unkept: FinalReading[] = [];
  let keeping: Promise<void> = Promise.resolve();
  const keep = (): void => {
    const batch = unkept;
    unkept = [];
    keeping = keeping.then(async () => {
      await storeTransferReadings(ctx, batch);
      for (const reading of batch) recentReadings(ctx.rpc).set(reading.signature, reading);
    });
    // Awaited at the end; a rejection meanwhile is not an unhandled one.
    keeping.catch(() => undefined);
  };
  const failures: unknown[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < missing.length && failures.length === 0) {
      const lines = missing.slice(next, next + listedAtOnce(ctx.rpc));
      next += lines.length;
      const asked = lines.map(({ signature }) => signature);
      const given = await fetchListed(ctx.rpc, asked);
      lines.forEach((line, at) => {
        const one = given[at];
        if (one?.status !== 'fulfilled') return void failures.push(one?.reason);
        if (isContradicted(line, one.value))
          return void failures.push(
            new RpcUnavailable(
              `A node says that ${line.signature} failed, and returns it as successful`,
            ),
          );
        const { read, canKeep } = readOne(ctx, line, one.value);
        known.set(line.signature, read);
        if (canKeep) unkept.push(read);
      });
      if (unkept.length >= STORE_AT_ONCE) keep();
    }
  };
  await Promise.all(Array.from({ length: Math.min(SCAN_WIDTH, missing.length) }, work));
  keep();
  await keeping;
  if (failures.length > 0) throw failures[0];
  return known;
}

/** A history and a transaction that disagree come from two forks, or from a node that is wrong. */
function isContradicted({ failed }: SignatureLine, raw: RawTransaction | 'unsupported'): boolean {
  return failed && raw !== 'unsupported' && raw.meta !== null && (raw.meta.err ?? null) === null;
}

function readOne(
  { env }: ScanContext,
  line: SignatureLine,
  raw: RawTransaction | 'unsupported',
): { read: FinalReading; canKeep: boolean } {
  const { signature, slot, blockTime } = line;
  if (raw === 'unsupported')
    return {
      read: {
        signature,
        slot,
        blockTime,
        reading: refuse('unreadable_transaction', 'it is of a version that cannot be read yet'),
      },
      canKeep: false,
    };
  const reading = interpretTransaction(raw, env);
  const finality = line.final ? 'finalized' : 'confirmed';
  return {
    read: {
      signature,
      reading: withFinality(reading, finality),
      slot: BigInt(raw.slot),
      blockTime: typeof raw.blockTime === 'number' ? new Date(raw.blockTime * 1000) : blockTime,
      // An account that a failed transaction would have opened is nobody's.
      tokenAccounts: raw.meta?.err ? undefined : listOwnedAccounts(raw),
    },
    // In another slot than the history says, it is from another fork.
    canKeep: line.final && BigInt(raw.slot) === slot,
  };
}

/** About 15 MB of readings: two listings of the largest size. */
const MOST_READINGS = 10_000;

/**
 * Readings of final transactions that this process came across lately, by signature. They never change, and
 * are otherwise taken from the database: which costs more, for a thousand of them, than all else a listing
 * does.
 */
const recentReadings = perChain(() => new BoundedMap<string, FinalReading>(MOST_READINGS));

/** Signatures that nodes take in one question (getSignatureStatuses). */
const STATUSES_AT_ONCE = 256;

/**
 * The readings of some transactions, by signature: known ones from the database, the others from
 * the chain. One that no node knows is `transaction_not_found`. Throws RpcUnavailable, and keeps
 * the readings made by then.
 */
export async function readListed(
  ctx: ScanContext,
  signatures: readonly string[],
): Promise<Map<string, ScannedTransaction>> {
  const found = new Map<string, ScannedTransaction>();
  for (const [signature, known] of await loadFinalReadings(ctx, signatures))
    found.set(signature, {
      ...known,
      blockIndex: known.reading.movements?.blockIndex,
      isFinal: true,
    });
  const missing = signatures.filter((signature) => !found.has(signature));
  for (let at = 0; at < missing.length; at += STATUSES_AT_ONCE) {
    const asked = missing.slice(at, at + STATUSES_AT_ONCE);
    const statuses = await ctx.rpc.getSignatureStatuses(asked);
    const lines = asked.flatMap((signature, index) => {
      const status = statuses[index];
      // A processed transaction may be gone in a second, and no node returns it.
      if (!status || status.confirmationStatus === 'processed') {
        const reading = refuse('transaction_not_found', 'no node knows it as confirmed');
        found.set(signature, { signature, reading, slot: null, blockTime: null, isFinal: false });
        return [];
      }
      const final = status.confirmationStatus === 'finalized';
      const failed = status.err !== null;
      return [
        {
          signature,
          slot: status.slot,
          blockIndex: null,
          blockTime: null,
          memo: null,
          failed,
          final,
        },
      ];
    });
    for (const one of await scanTransactions(ctx, lines)) found.set(one.signature, one);
  }
  return found;
}

/** As many as a person reads to find one payment. */
const MOST_RECENT = 25;

/**
 * A page of the last transactions of a wallet and of its accounts of some token mints, newest
 * first, about {@link MOST_RECENT}. The wallet's own history has its actions, and the histories of
 * its accounts have the payments to it. `before` is a signature, and the page begins after it.
 * `older` begins the next page, null where there is none. The next page may repeat transactions of
 * the slot where this one ends.
 */
export async function recentTransactions(
  ctx: ScanContext,
  o: { wallet: string; mints: readonly string[]; before?: string | undefined },
): Promise<{ transactions: ScannedTransaction[]; older: string | null }> {
  const addresses = await Promise.all(
    o.mints.flatMap((mint) =>
      [TOKEN, TOKEN_2022].map((tokenProgram) =>
        tokenAddressOf({ wallet: o.wallet, mint, tokenProgram }),
      ),
    ),
  );
  const histories = await Promise.all(
    [o.wallet, ...addresses].map((account) =>
      ctx.rpc.getSignaturesForAddress(account, {
        limit: MOST_RECENT,
        ...(o.before !== undefined && { before: o.before }),
      }),
    ),
  );
  const page = pageOf(histories);
  const done = page.lines.filter(({ failed }) => !failed);
  return { transactions: await scanTransactions(ctx, done), older: page.older };
}

/**
 * The newest lines of several histories, and where the next page begins. Accounts do not show in which order
 * their transactions of one slot came, so a page ends with a whole slot.
 */
export function pageOf(histories: readonly (readonly SignatureLine[])[]): {
  lines: SignatureLine[];
  older: string | null;
} {
  const all = [...new Map(histories.flat().map((line) => [line.signature, line])).values()];
  all.sort((a, b) => (a.slot === b.slot ? 0 : a.slot < b.slot ? 1 : -1));
  const last = all[MOST_RECENT - 1];
  if (!last) return { lines: all, older: null };
  const lines = all.filter(({ slot }) => slot >= last.slot);
  const full = histories.filter((history) => history.length >= MOST_RECENT);
  const hasMore = full.length > 0 || lines.length < all.length;
  return { lines, older: hasMore ? endOf({ lines, full, slot: last.slot }) : null };
}

/** The line that the next page begins behind, so that it misses nothing of the slot where this one ends. */
function endOf(o: {
  lines: readonly SignatureLine[];
  full: readonly (readonly SignatureLine[])[];
  slot: bigint;
}): string | null {
  const { lines, full, slot } = o;
  // A full history may continue in this slot, right behind its last line.
  const last = full.flatMap((history) => history.at(-1) ?? []).filter((line) => line.slot === slot);
  const [cut, ...others] = new Set(last.map(({ signature }) => signature));
  // Nothing shows which of two such lines comes first in its block, so the next page has the whole slot again.
  const above = others.length > 0 ? lines.findLast((line) => line.slot > slot) : undefined;
  return above?.signature ?? cut ?? lines.at(-1)?.signature ?? null;
}
