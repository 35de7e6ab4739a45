/** The networks that receipts are made on. `local` is the embedded test chain, whose receipts are not real. */
export const NETWORKS = ['local', 'devnet', 'mainnet'] as const;
export type Network = (typeof NETWORKS)[number];
