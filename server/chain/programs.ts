import type { Network } from '@/server/env';

/** Genesis hashes of the public clusters (docs.anza.xyz/clusters/available, `getGenesisHash`). */
export const GENESIS_HASH: Readonly<Record<Exclude<Network, 'local'>, string>> = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
};
