import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/** A blockhash stays usable for 150 blocks (MAX_PROCESSING_AGE of agave). */
export const BLOCKHASH_LIFE = 150;
/** Slots without a block before ours, so that a slot cannot be mistaken for a height. */
const SKIPPED_SLOTS = 1000;
/** Later than every recorded mainnet transaction, so that our own history is newest. */
const FIRST_SLOT = 500_000_000;
const DEFAULT_SLOT_MS = 400;

/** The clock's state, enough to continue after a restart as if it had never stopped. */
export type ClockState = {
  genesisHash: string;
  anchorSlot: number;
  anchorMs: number;
  slotMs: number;
  shiftMs: number;
};

export type SlotClock = ReturnType<typeof startSlotClock>;

/**
 * Slots by wall clock. They also pass when the process is down, like on a cluster whose other nodes
 * run on, so neither slots nor heights ever go back. A blockhash is computed from its slot, so none
 * is stored.
 */
export function startSlotClock(o: {
  slotMs?: number;
  firstSlot?: number;
  state?: ClockState;
  nowMs?: () => number;
  onChange?: (state: ClockState) => void;
}) {
  const nowMs = o.nowMs ?? Date.now;
  const state: ClockState = o.state
    ? { ...o.state }
    : {
        genesisHash: hash('genesis of the embedded chain'),
        anchorSlot: o.firstSlot ?? FIRST_SLOT,
        anchorMs: nowMs(),
        slotMs: o.slotMs ?? DEFAULT_SLOT_MS,
        shiftMs: 0,
      };
  const slot = () =>
    state.anchorSlot + Math.max(0, Math.floor((nowMs() - state.anchorMs) / state.slotMs));
  const blockhash = (at: number) => hash(`${state.genesisHash}${at}`);
  const recent = new Map<string, number>();
  let hashedTo = 0;

  if (o.slotMs !== undefined && o.slotMs !== state.slotMs) {
    state.anchorSlot = slot();
    state.anchorMs = nowMs();
    state.slotMs = o.slotMs;
  }
  o.onChange?.(state);

  return {
    genesisHash: state.genesisHash,
    slotMs: state.slotMs,
    slot,
    blockhash,
    heightOf: (at: number) => at - SKIPPED_SLOTS,
    /** Unix seconds by the chain's clock. */
    now: () => Math.floor((nowMs() + state.shiftMs) / 1000),
    /** Unix seconds of a past slot, by the length of slots. */
    timeOf: (at: number) =>
      Math.floor((nowMs() + state.shiftMs - (slot() - at) * state.slotMs) / 1000),

    /** The slot of a blockhash that is still usable now, else null. */
    slotOfBlockhash(text: string): number | null {
      const now = slot();
      for (let at = Math.max(hashedTo + 1, now - BLOCKHASH_LIFE); at <= now; at++)
        recent.set(blockhash(at), at);
      hashedTo = Math.max(hashedTo, now);
      for (const [old, at] of recent) {
        if (at >= now - BLOCKHASH_LIFE) break;
        recent.delete(old);
      }
      return recent.get(text) ?? null;
    },

    advanceSlots(count: number): void {
      state.anchorSlot += count;
      o.onChange?.(state);
    },
    setTime(unix: number): void {
      state.shiftMs = unix * 1000 - nowMs();
      o.onChange?.(state);
    },
  };
}

function hash(text: string): string {
  return bs58.encode(createHash('sha256').update(text).digest());
}
