import { readTransfer } from '@quittance/verify/chain/read-transfer';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import type { LeafEvent } from '@quittance/verify/nft/leaf';
import { giveUpMint, otherNftOf, restoreMint, secondNft } from '@/server/nft/restore-mint';
import { priceReceipt } from '@/server/payments/prices';
import { noteRebuiltPurchase } from '@/server/payments/restore-payment';
import { fetchItem } from '@/server/storage/fetch-item';
import { saveItems } from '@/server/storage/stored-items';
import { itemData } from '@quittance/verify/storage/verify-item';
import { itemIdOf } from '@quittance/verify/receipts/check-storage';
import {
  parseReceiptMetadata,
  type ReceiptMetadata,
} from '@quittance/verify/receipts/describe-parse';
import { paymentByTable } from '@quittance/verify/receipts/payment-by-table';
import type { Transfer } from '@quittance/verify/chain/transfer';
import { rowOfFacts } from './receipt-codec';
import { factsOfTransfer, type ReceiptFacts } from './receipt-facts';

export type Restored =
  { state: 'restored'; receiptId: string } | { state: 'known' } | { state: 'skipped'; why: string };

/**
 * Restores the receipt of a leaf of ours from its files and its transaction. One database
 * transaction writes the row, both files and the completed mint. Safe to repeat.
 */
export async function restoreReceipt(
  service: Pick<ServiceContext, 'db' | 'env' | 'rpc' | 'clock'>,
  o: { leaf: LeafEvent; signature: string; slot: bigint; storageKeys: ReadonlySet<string> },
): Promise<Restored> {
  const { db, env, rpc, clock } = service;
  const { leaf, signature } = o;
  if (await db.mint.findFirst({ where: { mintSignature: signature }, select: { id: true } }))
    return { state: 'known' };
  // The name ends with the id, from which the files' anchors follow.
  const receiptId = /Receipt ([0-9A-Z]{12})$/.exec(leaf.metadata.name)?.[1];
  const metadataItemId = itemIdOf(leaf.metadata.uri);
  if (receiptId === undefined || metadataItemId === null) return skipped('it is not a receipt');
  const other = await otherNftOf(service, { id: receiptId, leaf, signature });
  if (other) return skipped(secondNft(`receipt ${receiptId}`, { leaf, other }));
  const file = (id: string, part: 'metadata' | 'image') =>
    fetchItem({
      id,
      anchorSeed: `receipt:${receiptId}:${part}:v1`,
      gatewayUrl: env.storageGatewayUrl,
    });
  const metadataItem = await file(metadataItemId, 'metadata');
  if (!metadataItem || !o.storageKeys.has(metadataItem.owner))
    return skipped('its metadata is not on storage, or not signed by a key of ours');
  const reading = parseReceiptMetadata(itemData(metadataItem.raw));
  if (!reading.ok) return skipped(reading.why);
  const { metadata } = reading;
  const imageItem = await file(itemIdOf(metadata.imageUri) ?? '', 'image');
  if (!imageItem) return skipped('its image is not on storage');
  const payment = paymentByTable({
    payment: await readTransfer({
      rpc,
      network: env.network,
      signature: metadata.chain.transaction,
    }),
    network: env.network,
    metadata,
  });
  if (!payment.ok) return skipped(`its transaction: ${payment.detail}`);
  const { transfer } = payment;
  const rival = await rivalOf(db, { receiptId, txSignature: transfer.signature });
  if (rival?.isMinted)
    return skipped(`its transaction has receipt ${rival.id}, which has an NFT as well`);
  const facts = factsOf({ receiptId, metadata, transfer, env });
  const now = clock.now();
  await db.$transaction(async (tx) => {
    if (rival) await giveWay(tx, { rival: rival.id, to: receiptId, now });
    await saveItems(tx, [metadataItem, imageItem], now);
    await tx.receipt.createMany({
      data: { ...rowOfFacts(facts), metadataItemId, imageItemId: imageItem.id },
      skipDuplicates: true,
    });
    await restoreMint(tx, {
      id: receiptId,
      kind: 'receipt',
      leaf,
      signature,
      slot: o.slot,
      metadataItemId,
      imageItemId: imageItem.id,
      transactionSignature: transfer.signature,
      mintedAt: metadata.service.issuedAt,
      now,
    });
    // One that was given up as dropped stands again.
    await tx.receipt.updateMany({
      where: { id: receiptId, releasedAt: { not: null } },
      data: { releasedAt: null },
    });
    await noteRebuiltPurchase(tx, {
      subjectId: receiptId,
      payers: [metadata.chain.payer, metadata.chain.seller],
      priceMicros: priceReceipt(metadata.service.usdMicros),
      issuedAt: metadata.service.issuedAt,
      now,
    });
  });
  return { state: 'restored', receiptId };
}

/** The chain's part as its transaction says, the rest as its metadata does. */
function factsOf(o: {
  receiptId: string;
  metadata: ReceiptMetadata;
  transfer: Transfer;
  env: Pick<ServiceContext['env'], 'network' | 'publicUrl'>;
}): ReceiptFacts {
  const { service, labels, template } = o.metadata;
  const fromChain = factsOfTransfer(o.transfer);
  return {
    ...fromChain,
    beside: template === undefined ? null : fromChain.beside,
    receiptId: o.receiptId,
    issuedAt: service.issuedAt,
    network: o.env.network,
    publicUrl: o.env.publicUrl,
    token: service.token,
    dtifCode: service.dtiCode,
    groupCode: service.dtiGroupCode,
    usdMicros: service.usdMicros,
    valuation: service.usdBasis,
    valuationSource: service.usdSource,
    ...labels,
  };
}

/** Another receipt on record for the same transaction: each has one that counts. */
async function rivalOf(
  db: Db,
  o: { receiptId: string; txSignature: string },
): Promise<{ id: string; isMinted: boolean } | null> {
  const rival = await db.receipt.findFirst({
    where: { txSignature: o.txSignature, releasedAt: null, id: { not: o.receiptId } },
    select: { id: true },
  });
  if (!rival) return null;
  const minted = await db.mint.count({ where: { id: rival.id, status: 'completed' } });
  return { id: rival.id, isMinted: minted > 0 };
}

/** Ends a receipt of the backup that never got its NFT: the one with the NFT came after it. */
async function giveWay(tx: Db, o: { rival: string; to: string; now: Date }): Promise<void> {
  const { rival: id, to, now } = o;
  await tx.receipt.update({ where: { id }, data: { releasedAt: now } });
  await giveUpMint(tx, { id, why: `receipt ${to} of the same transaction has the NFT`, now });
}

function skipped(why: string): Restored {
  return { state: 'skipped', why };
}
