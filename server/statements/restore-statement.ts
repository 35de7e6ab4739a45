import type { ServiceContext } from '@/server/context';
import type { LeafEvent } from '@/server/nft/leaf';
import { restoreMint } from '@/server/nft/restore-mint';
import { itemIdOf } from '@/server/receipts/check-storage';
import { fetchItem } from '@/server/storage/fetch-item';
import { itemData } from '@/server/storage/verify-item';
import { parseStatementMetadata } from './parse-statement-metadata';

export type RestoredStatement =
  /** `lost`: its rows are not on record; the chain holds their hash alone. */
  | {
      state: 'minted' | 'lost';
      statementId: string;
      wallet: string;
      count: number;
      issuedAt: Date;
    }
  | { state: 'known' }
  | { state: 'skipped'; why: string };

/** The id in the name of a statement's NFT; null for that of anything else. */
export function statementIdIn(name: string): string | null {
  return /(?:Statement|TEST CHAIN) (STMT[0-9A-Z]{8})$/.exec(name)?.[1] ?? null;
}

/**
 * What is known of a statement by a leaf of ours: where the backup has it with its mint under way, the mint
 * is completed, so that there is no second one; where it was sold later, only its payment can be told.
 */
export async function restoreStatement(
  service: Pick<ServiceContext, 'db' | 'env' | 'clock'>,
  o: {
    statementId: string;
    leaf: LeafEvent;
    signature: string;
    slot: bigint;
    storageKeys: ReadonlySet<string>;
  },
): Promise<RestoredStatement> {
  const { db, env, clock } = service;
  const { statementId, leaf, signature } = o;
  const mint = await db.mint.findUnique({ where: { id: statementId } });
  if (mint?.mintSignature === signature && mint.status === 'completed') return { state: 'known' };
  const item = await fetchItem({
    id: itemIdOf(leaf.metadata.uri) ?? '',
    anchorSeed: `statement:${statementId}:metadata:v1`,
    gatewayUrl: env.storageGatewayUrl,
  });
  if (!item || !o.storageKeys.has(item.owner))
    return skipped('its metadata is not on storage, or not signed by a key of ours');
  const reading = parseStatementMetadata(itemData(item.raw));
  if (!reading.ok) return skipped(reading.why);
  const { wallet, count, issuedAt } = reading.metadata;
  if (mint) {
    const { metadataItemId, imageItemId } = mint;
    await db.$transaction((tx) =>
      restoreMint(tx, {
        ...{ id: statementId, kind: 'statement', leaf, signature, slot: o.slot },
        ...{ metadataItemId, imageItemId, transactionSignature: null },
        ...{ mintedAt: issuedAt, now: clock.now() },
      }),
    );
  }
  return { state: mint ? 'minted' : 'lost', statementId, wallet, count, issuedAt };
}

function skipped(why: string): RestoredStatement {
  return { state: 'skipped', why };
}
