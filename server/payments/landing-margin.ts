/**
 * Blocks after the last valid height that a node tells in which a payment is still taken to land: another node
 * may know a later block than the one that was asked.
 */
export const MARGIN_BLOCKS = 64n;
