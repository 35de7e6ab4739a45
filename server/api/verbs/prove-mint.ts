import { readAsset } from '@/server/chain/read-asset';
import { ServiceError } from '@/server/errors';
import { decodeLeafEvents } from '@quittance/verify/nft/leaf';
import { writeMintProof, type MintProof } from '@quittance/verify/receipts/proof-document';
import { itemUri } from '@/server/storage/item-uri';
import { loadItem } from '@/server/storage/load-item';
import type { RequestContext } from '../request-context';

type Minted = {
  status: string;
  mintSignature: string | null;
  assetId: string | null;
  metadataUri: string;
  metadataItemId: string;
  imageItemId: string;
};

/**
 * The proof of an NFT: its signed files, and what is where on the chain. `named` is what it stands for,
 * as messages call it, and `at` the path that tells how its mint goes. Throws `proof_not_ready` while the
 * NFT is being made, `proof_missing` where it could not be, and 503 when no node has the mint transaction
 * or an index of assets.
 */
export async function proveMint(
  ctx: RequestContext,
  { mint, named, at }: { mint: Minted; named: string; at: string },
): Promise<MintProof> {
  const { env, rpc } = ctx.service;
  const { mintSignature, assetId } = mint;
  if (mint.status === 'failed')
    throw new ServiceError('proof_missing', `The NFT of ${named} could not be made.`);
  if (mint.status !== 'completed' || mintSignature === null || assetId === null)
    throw new ServiceError('proof_not_ready', `The NFT of ${named} is being made: see ${at}.`);
  const [metadata, image, transaction, asset] = await Promise.all([
    keptItem(ctx, mint.metadataItemId, mint.metadataUri),
    keptItem(ctx, mint.imageItemId, itemUri(mint.imageItemId, env.storageGatewayUrl)),
    rpc.getTransaction(mintSignature, 'confirmed'),
    readAsset({ urls: env.rpcUrls, assetId }),
  ]);
  const leaf = transaction && decodeLeafEvents(transaction).find((one) => one.assetId === assetId);
  if (!leaf || !asset)
    throw new ServiceError(
      'chain_unavailable',
      leaf
        ? 'No Solana node with an index of assets (DAS) gave the proof of the NFT. Send the same request again.'
        : `No Solana node has the mint transaction of ${named}. Send the same request again.`,
    );
  return writeMintProof({
    network: env.network,
    issuerUrl: `${env.publicUrl}/.well-known/quittance.json`,
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
