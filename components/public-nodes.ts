import type { Site } from './site-context';

/** Nodes that anyone may use. The test chain's node is on the machine that runs it. */
export const PUBLIC_NODES: Readonly<Record<Site['network'], string>> = {
  local: 'http://localhost:8899',
  devnet: 'https://api.devnet.solana.com',
  mainnet: 'https://api.mainnet-beta.solana.com',
};
