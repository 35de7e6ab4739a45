import type { LeafEvent } from '@quittance/verify/nft/leaf';
import { itemIdOf } from '@quittance/verify/receipts/check-storage';
import { parseStatementMetadata } from '@quittance/verify/statements/parse-statement-metadata';
import { itemData } from '@quittance/verify/storage/verify-item';
import type { Mint, Statement } from '@/generated/prisma/client';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { ServiceError } from '@/server/errors';
import { STATEMENT_ID } from '@/server/ids';
import { otherNftOf, restoreMint, secondNft } from '@/server/nft/restore-mint';
import { priceStatement } from '@/server/payments/prices';
import { noteRebuiltPurchase } from '@/server/payments/restore-payment';
import { fetchItem } from '@/server/storage/fetch-item';

export type StatementWithMint = { statement: Statement; mint: Mint };

/** A statement without its rows and the state of its mint, by id; throws `statement_not_found`. */
export async function findStatement(db: Db, statementId: string): Promise<StatementWithMint> {
  const [statement, mint] = STATEMENT_ID.test(statementId)
    ? await Promise.all([
        db.statement.findUnique({ where: { id: statementId } }),
        db.mint.findUnique({ where: { id: statementId } }),
      ])
    : [null, null];
  if (statement && mint) return { statement, mint };
  throw new ServiceError(
    'statement_not_found',
    `There is no statement ${statementId.slice(0, 64)}.`,
  );
}

export type RestoredStatement =
  | { state: 'minted' }
  /** Its rows are not on record. The chain holds only their hash. */
  | { state: 'lost'; wallet: string }
  | { state: 'known' }
  | { state: 'skipped'; why: string };

/** The id in the name of a statement's NFT; null for that of anything else. */
export function statementIdIn(name: string): string | null {
  return /(?:Statement|TEST CHAIN) (STMT[0-9A-Z]{8})$/.exec(name)?.[1] ?? null;
}

/**
 * The statement behind a leaf of ours. If the backup has it with a pending mint, that mint is
 * completed, so that there is no second one. If it was sold after the backup, only its payment is
 * known.
 */
export async function restoreStatement(
  service: Pick<ServiceContext, 'db' | 'env' | 'rpc' | 'clock'>,
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
  const other = await otherNftOf(service, { id: statementId, leaf, signature });
  if (other) return skipped(secondNft(`statement ${statementId}`, { leaf, other }));
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
  const purchase = {
    subjectId: statementId,
    payers: [wallet],
    priceMicros: priceStatement(count),
    issuedAt,
    now: clock.now(),
  };
  if (!mint) {
    await noteRebuiltPurchase(db, purchase);
    return { state: 'lost', wallet };
  }
  const { metadataItemId, imageItemId } = mint;
  await db.$transaction(async (tx) => {
    await restoreMint(tx, {
      id: statementId,
      kind: 'statement',
      leaf,
      signature,
      slot: o.slot,
      metadataItemId,
      imageItemId,
      transactionSignature: null,
      mintedAt: issuedAt,
      now: clock.now(),
    });
    await noteRebuiltPurchase(tx, purchase);
  });
  return { state: 'minted' };
}

function skipped(why: string): RestoredStatement {
  return { state: 'skipped', why };
}
