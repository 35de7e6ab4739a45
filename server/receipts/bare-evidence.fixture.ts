import type { Network } from '@quittance/verify/network';
import type { MintEvidence } from '@quittance/verify/receipts/check-evidence';

/** Evidence of an NFT that no chain has: its metadata alone. A check of it gives every line all the same. */
export function bareEvidence(metadata: Uint8Array, network: Network = 'local'): MintEvidence {
  const nothing = new Uint8Array();
  const item = { id: '', owner: '', signature: nothing, anchor: nothing, tags: [], data: metadata };
  return {
    issuer: {
      service: 'quittance',
      network,
      url: 'https://receipts.example',
      creators: [],
      storage_keys: [],
      trees: [],
      collections: [],
    },
    metadata: { bytes: metadata, item },
    image: { bytes: nothing, item },
    mintTransaction: null,
    asset: { id: '', owner: null, delegate: null },
    proof: null,
    tree: { address: '', data: null },
  };
}
