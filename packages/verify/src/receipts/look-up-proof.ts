import { NoJson, postJson } from '../chain/post-json';
import { readAssetBy } from '../chain/read-asset';
import { readNode } from '../chain/read-node';
import { readTransfer } from '../chain/read-transfer';
import type { Network } from '../network';
import type { SeenMint, SeenOnChain } from './evidence-of-proof';
import type { MintProof, ProofDocument } from './proof-document';

/**
 * Looks up on one Solana node what a proof names: the mint transaction, the tree, the payment and, where
 * the node keeps an index of assets, who holds the NFT now and its newest proof. Throws RpcUnavailable.
 */
export async function lookUpProof(o: {
  document: ProofDocument;
  network: Network;
  rpcUrl: string;
}): Promise<SeenOnChain> {
  const rpc = readNode(o.rpcUrl);
  const [minted, payment] = await Promise.all([
    lookUpMint(o),
    readTransfer({ rpc, network: o.network, signature: o.document.tx_signature }),
  ]);
  return { ...minted, payment };
}

/** The part of it that is about the NFT, whatever it stands for. */
export async function lookUpMint(o: { document: MintProof; rpcUrl: string }): Promise<SeenMint> {
  const { document } = o;
  const rpc = readNode(o.rpcUrl);
  const [mintTransaction, asset, tree] = await Promise.all([
    rpc.getTransaction(document.mint_signature, 'confirmed'),
    readAssetBy(askIndex, { urls: [o.rpcUrl], assetId: document.asset_id }),
    rpc.getAccountInfo(document.tree),
  ]);
  return { mintTransaction, asset, tree };
}

/** A node without an index of assets answers nothing of use, in one way or another. */
async function askIndex(url: string, body: unknown): Promise<unknown> {
  try {
    return await postJson(url, body);
  } catch (error) {
    if (error instanceof NoJson) return undefined;
    throw error;
  }
}
