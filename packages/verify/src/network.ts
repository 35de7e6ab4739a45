/** The networks that receipts are made on. `local` is the embedded test chain, whose receipts are not real. */
export const NETWORKS = ['local', 'devnet', 'mainnet'] as const;
export type Network = (typeof NETWORKS)[number];

/** Genesis hashes of the public clusters (docs.anza.xyz/clusters/available, `getGenesisHash`). */
export const GENESIS_HASH: Readonly<Record<Exclude<Network, 'local'>, string>> = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
};
