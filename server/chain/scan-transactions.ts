import type { ServiceContext } from '@/server/context';
import { fetchListed, listedAtOnce, SCAN_WIDTH } from './fetch-listed';
import { interpretTransaction } from '@quittance/verify/chain/interpret-transaction';
import { listOwnedAccounts } from '@quittance/verify/chain/list-owned-accounts';
import { recentReadings } from './recent-readings';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { loadFinalReadings, storeTransferReadings, type FinalReading } from './stored-reading';
import { refuse, withFinality } from '@quittance/verify/chain/transfer';

/** Readings kept in one statement: what a crash may lose. */
const STORE_AT_ONCE = 200;

export type ScanContext = Pick<ServiceContext, 'db' | 'env' | 'rpc' | 'clock'>;

/** A transaction of a history, and what it is. */
export type ScannedTransaction = FinalReading & {
  isFinal: boolean;
  /** Position in its block; left out where no node told it. */
  blockIndex?: number | undefined;
};

/**
 * Reads the transactions of a history: what was ever read from the database, the others from the chain,
 * {@link SCAN_WIDTH} at once. Each that is final is kept; on trouble with the chain as well, so that the
 * next scan goes on from there. Throws RpcUnavailable then: nothing is left out. What failed moved nothing but
 * its fee, and the history says so already: it is read only for one who asks for fees.
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
        ...{ signature, slot, blockTime, isFinal },
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
            new RpcUnavailable(`A node says that ${line.signature} failed, and gives it as done`),
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

/** A history and a transaction that disagree are of two forks, or of a node that is wrong. */
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
        ...{ signature, slot, blockTime },
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
    // In another slot than the history says, it is that of another fork.
    canKeep: line.final && BigInt(raw.slot) === slot,
  };
}
