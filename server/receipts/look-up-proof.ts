import { readAsset } from '@/server/chain/read-asset';
import { readTransfer } from '@/server/chain/read-transfer';
import { createRpc, type Rpc } from '@/server/chain/rpc';
import type { Network } from '@/server/env';
import type { SeenMint, SeenOnChain } from './evidence-of-proof';
import type { MintProof, ProofDocument } from './proof-document';

const TIMEOUT_MS = 15_000;

/**
 * Looks up on one Solana node what a proof names: the mint transaction, the tree, the payment and, where
 * the node keeps an index of assets, who holds the NFT now and its newest proof. Throws RpcUnavailable.
 */
export async function lookUpProof(o: {
  document: ProofDocument;
  network: Network;
  rpcUrl: string;
}): Promise<SeenOnChain> {
  const rpc = rpcOf(o.rpcUrl);
  const [minted, payment] = await Promise.all([
    lookUpMint(o),
    readTransfer({ rpc, network: o.network, signature: o.document.tx_signature }),
  ]);
  return { ...minted, payment };
}

/** The part of it that is about the NFT, whatever it stands for. */
export async function lookUpMint(o: { document: MintProof; rpcUrl: string }): Promise<SeenMint> {
  const { document } = o;
  const rpc = rpcOf(o.rpcUrl);
  const [mintTransaction, asset, tree] = await Promise.all([
    rpc.getTransaction(document.mint_signature, 'confirmed'),
    readAsset({ urls: [o.rpcUrl], assetId: document.asset_id }),
    rpc.getAccountInfo(document.tree),
  ]);
  return { mintTransaction, asset, tree };
}

/** The node that a check asks, with the patience of somebody who waits for it. */
export function rpcOf(url: string): Rpc {
  return createRpc({ urls: [url], timeoutMs: TIMEOUT_MS });
}
