import type { Quote } from '@/generated/prisma/client';
import type { FeePayment } from './read-fee-payment';

/** How long a quote can be paid. */
export const OPEN_MS = 30 * 60_000;
/** Oldest payment that still buys by a quote. */
export const MOST_AGE_MS = 48 * 3_600_000;
/** Block times are a vote of the validators and may be off by so much. */
export const SLACK_MS = 120_000;
/** A payment made at the last moment meets its quote and all rivals of it for as long as it buys. */
export const KEPT_MS = MOST_AGE_MS + 2 * SLACK_MS;
/** A node may lag, so a quote counts as opened before a block only so many slots later. */
const LEAST_SLOTS = 4n;

type Times = Pick<Quote, 'createdAt' | 'openUntil' | 'openedSlot'>;
type Block = Pick<FeePayment, 'slot' | 'blockTime'>;

/** Whether a quote can be paid at a moment, give or take what block times are off by. For payments by memo. */
export function isOpenAt(quote: Times, at: Date): boolean {
  return quote.createdAt.getTime() - SLACK_MS <= at.getTime() && !hasEnded(quote, at);
}

/**
 * Whether a quote was opened before a block for certain and had not ended in it: then a payment without
 * memo in that block was made by somebody who could know it. Slots tell, as no two clocks agree. The times
 * only bound how far all nodes may have lagged.
 */
export function wasOpenBefore(quote: Times, block: Block): boolean {
  const { openedSlot } = quote;
  return (
    openedSlot !== null &&
    block.slot >= openedSlot + LEAST_SLOTS &&
    isOpenAt(quote, block.blockTime)
  );
}

/**
 * Whether a quote may have been opened before a block and had not ended in it, though it cannot be told for
 * certain: within the slots that nodes may lag, by the times where they say so, or without a slot.
 */
export function mayHaveBeenOpenBefore(quote: Times, block: Block): boolean {
  const { openedSlot, createdAt } = quote;
  if (hasEnded(quote, block.blockTime)) return false;
  if (openedSlot === null) return isOpenAt(quote, block.blockTime);
  return block.slot >= openedSlot || createdAt.getTime() <= block.blockTime.getTime();
}

function hasEnded(quote: Times, at: Date): boolean {
  return at.getTime() > quote.openUntil.getTime() + SLACK_MS;
}
