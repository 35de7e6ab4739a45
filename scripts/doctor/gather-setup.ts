import { pendingMigrations } from '@/prisma/migrate';
import { TOKEN, TOKEN_ACCOUNT_BYTES } from '@quittance/verify/chain/programs';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import { rpc } from '@/server/chain/rpc';
import { db } from '@/server/db/client';
import type { Env } from '@/server/env';
import {
  type CollectionContents,
  collectionTexts,
  missingCollections,
  nameContents,
  priceCollection,
} from '@/server/nft/collections';
import { planTree, priceTree, RECOMMENDED_TREES } from '@/server/nft/plan-tree';
import { mintLamports, STORED_AHEAD } from '@/server/payments/check-accounts';
import { paymentNetwork } from '@/server/payments/prices';
import { storagePrice } from '@/server/storage/request-storage';
import { MIGRATIONS } from '@/prisma/migrate';
import type { Balances, Trees } from './check-keys';
import type { SetupState, TreeOffer } from './plan-setup';

/** The facts behind the plan of a set-up. Unknown ones are null or left out. */
export async function gatherSetup(o: {
  env: Env;
  balances: Balances;
  trees: Trees;
}): Promise<SetupState> {
  const { env, balances, trees } = o;
  const { usdcMint } = paymentNetwork(env.network);
  const { network, frozenReceipts } = env;
  const owner = { network, minter: env.minter.publicKey, frozenReceipts };
  const missing = await orNull(() => missingCollections(db(), owner));
  const database = { databaseUrl: env.databaseUrl, dir: MIGRATIONS };
  return {
    minter: env.minter.publicKey,
    storage: env.storage.publicKey,
    feePayer: env.feePayer.publicKey,
    payTo: env.payTo,
    usdcMint,
    receiverLamports: await orNull(() => receiverLamports(env.payTo, usdcMint)),
    accountLamports: await orNull(() =>
      rpc().getMinimumBalanceForRentExemption(Number(TOKEN_ACCOUNT_BYTES)),
    ),
    pendingMigrations: await orNull(async () => (await pendingMigrations(database)).length),
    minterLamports: balances.minterLamports,
    feePayerLamports: balances.feePayerLamports,
    treeRoom: trees.left,
    missingCollections: missing && missing.map(readable),
    collectionLamports: missing && (await orNull(() => priceCollections(env, missing))),
    offers: (await orNull(priceOffers)) ?? [],
    mintLamports: mintLamports(env),
    storagePrice: await orNull(() =>
      storagePrice({ uploadUrl: env.storageUploadUrl, bytes: STORED_AHEAD.bytes }),
    ),
    storageLamports: balances.storageLamports,
    serves: (await orNull(() => isServing(env.publicUrl))) ?? false,
  };
}

/** The plan's name of a missing collection. */
const readable = (contents: CollectionContents) =>
  contents === 'frozen_receipt' ? nameContents(contents) : contents;

/** The rent that the receiver's USDC account holds. 0n when there is no account. */
async function receiverLamports(payTo: string, usdcMint: string): Promise<bigint> {
  return rpc().getBalance(
    await tokenAddressOf({ wallet: payTo, mint: usdcMint, tokenProgram: TOKEN }),
  );
}

async function priceOffers(): Promise<TreeOffer[]> {
  const offers: TreeOffer[] = [];
  for (const size of Object.values(RECOMMENDED_TREES)) {
    const planning = planTree(size);
    if (!planning.ok) continue;
    const { totalLamports } = await priceTree(rpc(), planning.plan);
    offers.push({ ...size, capacity: planning.plan.capacity, lamports: totalLamports });
  }
  return offers;
}

async function priceCollections(env: Env, kinds: readonly CollectionContents[]): Promise<bigint> {
  const prices = kinds.map((holds) => priceCollection(rpc(), collectionTexts(env, holds), holds));
  return (await Promise.all(prices)).reduce((sum, price) => sum + price, 0n);
}

async function isServing(publicUrl: string): Promise<boolean> {
  const response = await fetch(`${publicUrl}/health`, { signal: AbortSignal.timeout(5_000) });
  return response.status === 200;
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}
