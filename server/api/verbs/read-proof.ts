import { readAsset } from '@/server/chain/read-asset';
import { ServiceError } from '@/server/errors';
import { decodeLeafEvents } from '@/server/nft/leaf';
import { findReceipt } from '@/server/receipts/find-receipt';
import { writeProof, type ProofDocument } from '@/server/receipts/proof-document';
import { itemUri } from '@/server/storage/item-uri';
import { loadItem } from '@/server/storage/load-item';
import type { RequestContext } from '../request-context';

/**
 * Everything that a check of a receipt needs beside a Solana node: the signed files, and what is where on
 * the chain. Throws `proof_not_ready` while the NFT is being made, `proof_missing` where it could not be,
 * and 503 when no node has the mint transaction or an index of assets.
 */
export async function readProof(
  ctx: RequestContext,
  input: { receipt_id: string },
): Promise<ProofDocument> {
  const { db, env, rpc } = ctx.service;
  const { receipt, mint } = await findReceipt(db, input.receipt_id);
  const { mintSignature, assetId } = mint;
  if (mint.status === 'failed')
    throw new ServiceError('proof_missing', `The NFT of receipt ${receipt.id} could not be made.`);
  if (mint.status !== 'completed' || mintSignature === null || assetId === null)
    throw new ServiceError(
      'proof_not_ready',
      `The NFT of receipt ${receipt.id} is being made: see /mint/status/${receipt.id}.`,
    );
  const [metadata, image, transaction, asset] = await Promise.all([
    keptItem(ctx, receipt.metadataItemId, mint.metadataUri),
    keptItem(ctx, receipt.imageItemId, itemUri(receipt.imageItemId, env.storageGatewayUrl)),
    rpc.getTransaction(mintSignature, 'confirmed'),
    readAsset({ urls: env.rpcUrls, assetId }),
  ]);
  const leaf = transaction && decodeLeafEvents(transaction).find((one) => one.assetId === assetId);
  if (!leaf || !asset)
    throw new ServiceError(
      'chain_unavailable',
      leaf
        ? 'No Solana node with an index of assets (DAS) gave the proof of the NFT. Send the same request again.'
        : 'No Solana node has the mint transaction of this receipt. Send the same request again.',
    );
  return writeProof({
    receiptId: receipt.id,
    network: env.network,
    issuerUrl: `${env.publicUrl}/.well-known/quittance.json`,
    txSignature: receipt.txSignature,
    mintSignature,
    metadata,
    image,
    leaf,
    asset,
  });
}

async function keptItem(ctx: RequestContext, id: string, uri: string) {
  const item = await loadItem(ctx.service.db, id);
  if (!item) throw new Error(`the item ${id} is not kept`);
  return { id, uri, raw: item.raw };
}
