import { createCollection as createCoreCollection } from '@metaplex-foundation/mpl-core';
import { generateSigner, type Signer, type TransactionBuilder } from '@metaplex-foundation/umi';
import type { Collection } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import type { Network, SecretKey } from '@/server/env';
import { makeAccount } from './begun-account';
import { type CollectionContents, rowOf } from './collections';
import { offlineUmi, signerOf, signTransaction } from './offline-umi';

/**
 * Creates a collection and registers it, or finishes the one that an earlier run
 * began. Needs the MPL Core program. `onAddress` gets its address before anything is spent. Throws Error
 * when the chain refuses, and RpcUnavailable.
 */
export async function createCollection(o: {
  db: Db;
  rpc: Rpc;
  minter: SecretKey;
  network: Network;
  holds: CollectionContents;
  name: string;
  uri: string;
  onAddress?: (address: string) => void;
}): Promise<Collection> {
  const { db, network, holds } = o;
  const minter = o.minter.publicKey;
  return makeAccount({
    db,
    rpc: o.rpc,
    network,
    minter,
    what: holds,
    onAddress: o.onAddress,
    sign: () => signCollection(o),
    register: async (address) => {
      const createdAt = await databaseNow(db);
      // Two runs may reach this with the same account.
      await db.collection.createMany({
        data: [{ address, network, minter, ...rowOf(holds), createdAt }],
        skipDuplicates: true,
      });
      return db.collection.findUniqueOrThrow({ where: { address } });
    },
  });
}

async function signCollection(o: {
  rpc: Rpc;
  minter: SecretKey;
  holds: CollectionContents;
  name: string;
  uri: string;
}) {
  const minter = signerOf(o.minter);
  const collection = generateSigner(offlineUmi());
  const builder = buildCollection({ ...o, collection, minter, kind: rowOf(o.holds).kind });
  const signed = await signTransaction(builder, minter, await o.rpc.getLatestBlockhash());
  return { address: collection.publicKey.toString(), signed };
}

/**
 * The transaction that makes an MPL Core collection which Bubblegum may mint into, with the minter as
 * its authority.
 */
export function buildCollection(o: {
  collection: Signer;
  minter: Signer;
  /** `frozen`: holders can neither move nor burn its items. */
  kind: Collection['kind'];
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
