/** Blocks after that of its blockhash in which a transaction can land (Agave, MAX_PROCESSING_AGE). */
export const BLOCKHASH_LIFE_BLOCKS = 150n;

/**
 * Blocks after the last valid height that the nodes tell in which a transaction is still taken to land: none of
 * those that answered may know the newest block.
 */
export const MARGIN_BLOCKS = 64n;

/**
 * Blocks before a last valid height, margin included, in which the transaction could land at the earliest. It was
 * signed when its height was told, with the life of a blockhash before it; a node may have told a height that is
 * as much too high.
 */
export const LANDING_WINDOW_BLOCKS = 2n * BLOCKHASH_LIFE_BLOCKS + MARGIN_BLOCKS;
