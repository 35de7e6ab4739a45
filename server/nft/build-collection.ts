import { createCollection as createCoreCollection } from '@metaplex-foundation/mpl-core';
import type { Signer, TransactionBuilder } from '@metaplex-foundation/umi';
import { offlineUmi } from './offline-umi';

/** `frozen`: its items can be neither moved nor burnt by their holders. */
export type CollectionKind = 'standard' | 'frozen';

/**
 * The transaction that makes an MPL Core collection which Bubblegum may mint into, with the minter as
 * its authority.
 */
export function buildCollection(o: {
  collection: Signer;
  minter: Signer;
  kind: CollectionKind;
  name: string;
  uri: string;
}): TransactionBuilder {
  return createCoreCollection(offlineUmi(), {
    collection: o.collection,
    payer: o.minter,
    updateAuthority: o.minter.publicKey,
    name: o.name,
    uri: o.uri,
    plugins: [
      { type: 'BubblegumV2' },
      ...(o.kind === 'frozen' ? [{ type: 'PermanentFreezeDelegate' as const, frozen: true }] : []),
    ],
  });
}
