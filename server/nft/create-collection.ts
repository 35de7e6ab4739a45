import { generateSigner } from '@metaplex-foundation/umi';
import type { Collection } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-time';
import type { Network, SecretKey } from '@/server/env';
import { makeAccount } from './begun-account';
import { buildCollection } from './build-collection';
import type { MintKind } from './mint-state';
import { offlineUmi, signerOf } from './offline-umi';
import { signTransaction } from './sign-transaction';

/**
 * Makes the collection of receipts or of statements and registers it, or finishes the one that an earlier run
 * began. Needs the MPL Core program. `onAddress` is told its address before anything is spent. Throws Error
 * when the chain refuses, and RpcUnavailable.
 */
export async function createCollection(o: {
  db: Db;
  rpc: Rpc;
  minter: SecretKey;
  network: Network;
  holds: MintKind;
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
      // Two runs may come here with the same account.
      await db.collection.createMany({
        data: [{ address, network, minter, holds, kind: 'standard', createdAt }],
        skipDuplicates: true,
      });
      return db.collection.findUniqueOrThrow({ where: { address } });
    },
  });
}

async function signCollection(o: { rpc: Rpc; minter: SecretKey; name: string; uri: string }) {
  const minter = signerOf(o.minter);
  const collection = generateSigner(offlineUmi());
  const builder = buildCollection({ ...o, collection, minter, kind: 'standard' });
  const signed = await signTransaction(builder, minter, await o.rpc.getLatestBlockhash());
  return { address: collection.publicKey.toString(), signed };
}
