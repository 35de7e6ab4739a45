import { generateSigner } from '@metaplex-foundation/umi';
import type { Collection } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import type { Network, SecretKey } from '@/server/env';
import { buildCollection, type CollectionKind } from './build-collection';
import { offlineUmi, signerOf } from './offline-umi';
import { sendAndConfirm } from './send-and-confirm';
import { signTransaction } from './sign-transaction';

/**
 * Makes a collection and registers it. Needs the MPL Core program, which the embedded chain has only
 * where its binary was given. Throws Error when the chain refuses, and RpcUnavailable.
 */
export async function createCollection(o: {
  db: Db;
  rpc: Rpc;
  minter: SecretKey;
  network: Network;
  kind: CollectionKind;
  name: string;
  uri: string;
  now: Date;
}): Promise<Collection> {
  const minter = signerOf(o.minter);
  const collection = generateSigner(offlineUmi());
  const builder = buildCollection({ ...o, collection, minter });
  const signed = await signTransaction(builder, minter, await o.rpc.getLatestBlockhash());
  await sendAndConfirm(o.rpc, signed);
  return o.db.collection.create({
    data: {
      address: collection.publicKey,
      network: o.network,
      kind: o.kind,
      createdAt: o.now,
    },
  });
}
