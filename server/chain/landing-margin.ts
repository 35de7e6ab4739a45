/** Blocks after that of its blockhash in which a transaction can land (Agave, MAX_PROCESSING_AGE). */
export const BLOCKHASH_LIFE_BLOCKS = 150n;

/**
 * Blocks after the last valid height of the nodes in which a transaction may still land. Perhaps
 * none of the nodes that answered knew the newest block.
 */
export const MARGIN_BLOCKS = 64n;

/**
 * Blocks before a last valid height, margin included, in which the transaction could land at the
 * earliest. It was signed when its height was read, with the life of a blockhash before it. The
 * height from the node may be too high by the margin.
 */
export const LANDING_WINDOW_BLOCKS = 2n * BLOCKHASH_LIFE_BLOCKS + MARGIN_BLOCKS;

/** Blocks or slots by which the highest of two nodes that keep up is above the other: two minutes. */
export const MOST_APART = 300n;
/**
 * How far one of two nodes can be above the other because the other stands still: about an hour.
 * Further apart, either may be wrong. A transaction that is open for so long is recorded anyway,
 * for the operator to close.
 */
const MOST_BEHIND = 9_000n;

/**
 * The highest credible slot or height of those that the nodes return, or null for none. One node far above
 * all others must not make them look stale. Of three or more, a second node must be about as high. Of two, the higher
 * one counts while the other may simply stand still, and else the lower.
 */
export function provenTop(told: readonly bigint[]): bigint | null {
  const [first, second, ...others] = [...told].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  if (first === undefined) return null;
  if (second === undefined || first - second <= MOST_APART) return first;
  return others.length === 0 && first - second <= MOST_BEHIND ? first : second;
}
