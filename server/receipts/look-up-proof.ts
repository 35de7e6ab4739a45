import { readAsset } from '@/server/chain/read-asset';
import { readTransfer } from '@/server/chain/read-transfer';
import { createRpc } from '@/server/chain/rpc';
import type { SeenOnChain } from './evidence-of-proof';
import type { ProofDocument } from './proof-document';

const TIMEOUT_MS = 15_000;

/**
 * Looks up on one Solana node what a proof names: the mint transaction, the tree, the payment and, where
 * the node keeps an index of assets, who holds the NFT now and its newest proof. Throws RpcUnavailable.
 */
export async function lookUpProof(o: {
  document: ProofDocument;
  rpcUrl: string;
}): Promise<SeenOnChain> {
  const { document } = o;
  const rpc = createRpc({ urls: [o.rpcUrl], timeoutMs: TIMEOUT_MS });
  const [mintTransaction, asset, tree, payment] = await Promise.all([
    rpc.getTransaction(document.mint_signature, 'confirmed'),
    readAsset({ urls: [o.rpcUrl], assetId: document.asset_id }),
    rpc.getAccountInfo(document.tree),
    readTransfer({ rpc, signature: document.tx_signature }),
  ]);
  return { mintTransaction, asset, tree, payment };
}
