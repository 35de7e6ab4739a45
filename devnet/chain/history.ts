import type { JsonError, TxRecord } from './emulator';
import { BLOCKHASH_LIFE } from './slot-clock';
import { MEMO_PROGRAM_IDS } from './addresses';

/** A line of the history by address, of our own ledger or of a recorded transaction. */
export type HistoryLine = {
  signature: string;
  slot: number;
  blockTime: number | null;
  keys: readonly string[];
  err: JsonError | null;
  memo: string | null;
};

type Page = { limit: number; before?: string | undefined; until?: string | undefined };

export type History = ReturnType<typeof openHistory>;

/**
 * Transactions by signature, in order and by address. Recorded lines count as older than our own.
 */
export function openHistory() {
  const records = new Map<string, TxRecord>();
  const inOrder: TxRecord[] = [];
  const byAddress = new Map<string, HistoryLine[]>();
  const recordedByAddress = new Map<string, HistoryLine[]>();

  /**
   * The position of a transaction among the lines of an address, even if it does not name that
   * address.
   */
  const placeOf = (lines: readonly HistoryLine[], signature: string): number => {
    const own = lines.findIndex((line) => line.signature === signature);
    const record = records.get(signature);
    if (own >= 0 || !record) return own;
    const order = (one: TxRecord | undefined) => (one ? inOrder.indexOf(one) : -1);
    return lines.filter(
      (line) =>
        line.slot < record.slot ||
        (line.slot === record.slot && order(records.get(line.signature)) < order(record)),
    ).length;
  };

  return {
    records,
    inOrder,

    add(record: TxRecord): void {
      records.set(record.signature, record);
      inOrder.push(record);
      addTo(byAddress, lineOf(record));
    },

    /** Replaces the record of a transaction that ran again. */
    replace(record: TxRecord): void {
      records.set(record.signature, record);
      const at = inOrder.findIndex((r) => r.signature === record.signature);
      inOrder[at] = record;
      for (const key of new Set(record.keys)) {
        const lines = byAddress.get(key) ?? [];
        const i = lines.findIndex((line) => line.signature === record.signature);
        if (i >= 0) lines[i] = lineOf(record);
      }
    },

    remove(signature: string): void {
      const record = records.get(signature);
      if (!record) return;
      records.delete(signature);
      inOrder.splice(inOrder.indexOf(record), 1);
      for (const key of new Set(record.keys)) {
        const lines = byAddress.get(key);
        const i = lines?.findIndex((line) => line.signature === signature) ?? -1;
        if (i >= 0) lines?.splice(i, 1);
      }
    },

    addRecorded(line: HistoryLine): void {
      addTo(recordedByAddress, line);
      for (const key of new Set(line.keys))
        recordedByAddress.get(key)?.sort((a, b) => a.slot - b.slot);
    },

    /**
     * Newest first, between `before` and `until` (both excluded), limited to what `isVisible`
     * allows.
     */
    pageOf(address: string, page: Page, isVisible: (line: HistoryLine) => boolean): HistoryLine[] {
      const lines = [
        ...(recordedByAddress.get(address) ?? []),
        ...(byAddress.get(address) ?? []),
      ].filter(isVisible);
      const from = page.before ? placeOf(lines, page.before) : lines.length;
      const stop = page.until ? lines.findIndex((l) => l.signature === page.until) : -1;
      const found = lines.slice(stop + 1, Math.max(0, from)).reverse();
      return found.slice(0, page.limit);
    },

    /** Records of one slot, in order. */
    inSlot(slot: number): TxRecord[] {
      let [low, high] = [0, inOrder.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((inOrder[middle]?.slot ?? Infinity) < slot) low = middle + 1;
        else high = middle;
      }
      const found: TxRecord[] = [];
      for (let at = low; inOrder[at]?.slot === slot; at += 1)
        found.push(...inOrder.slice(at, at + 1));
      return found;
    },

    /** Records newer than a slot, newest first. */
    *newerThan(slot: number): Generator<TxRecord> {
      for (let i = inOrder.length - 1; i >= 0; i--) {
        const record = inOrder[i];
        if (!record || record.slot <= slot) return;
        yield record;
      }
    },
  };
}

/**
 * Nodes keep statuses of about this many slots in memory. Older ones need searchTransactionHistory.
 */
export const STATUS_CACHE_SLOTS = BLOCKHASH_LIFE;

function addTo(index: Map<string, HistoryLine[]>, line: HistoryLine): void {
  for (const key of new Set(line.keys)) {
    const lines = index.get(key);
    if (lines) lines.push(line);
    else index.set(key, [line]);
  }
}

function lineOf(record: TxRecord): HistoryLine {
  return {
    signature: record.signature,
    slot: record.slot,
    blockTime: record.blockTime,
    keys: record.keys,
    err: record.meta.err,
    memo: memoOf(record.keys, record.message.compiledInstructions),
  };
}

/** `[length] text` of every memo instruction, as getSignaturesForAddress prints it. */
export function memoOf(
  keys: readonly string[],
  instructions: readonly { programIdIndex: number; data: Uint8Array }[],
): string | null {
  const memos = instructions
    .filter((ix) => MEMO_PROGRAM_IDS.includes(keys[ix.programIdIndex] ?? ''))
    .map((ix) => `[${ix.data.length}] ${Buffer.from(ix.data).toString('utf8')}`);
  return memos.length ? memos.join('; ') : null;
}
