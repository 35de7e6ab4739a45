import { fetchTransaction } from '../chain/fetch-transaction';
import { NoJson, postJson } from '../chain/post-json';
import { readAssetBy } from '../chain/read-asset';
import { readNode } from '../chain/read-node';
import { readTransfer } from '../chain/read-transfer';
import { isNodeSilence } from '../chain/rpc-errors';
import { refuse, type TransactionReading } from '../chain/transfer';
import type { Network } from '../network';
import type { SeenMint, SeenOnChain } from './evidence-of-proof';
import type { MintProof, ProofDocument } from './proof-document';

/**
 * Looks up on one Solana node what a proof names: the mint transaction, the tree, the payment and, where
 * the node keeps an index of assets, who holds the NFT now and its newest proof. What it does not answer is
 * missing in what is given, with the reason.
 */
export async function lookUpProof(o: {
  document: ProofDocument;
  network: Network;
  rpcUrl: string;
}): Promise<SeenOnChain> {
  const [minted, payment] = await Promise.all([
    lookUpMint(o),
    readPayment({ ...o, signature: o.document.tx_signature }),
  ]);
  return { ...minted, payment };
}

/** A payment as a node shows it; one that the node tells nothing of is not found, with the reason. */
export async function readPayment(o: {
  rpcUrl: string;
  network: Network;
  signature: string;
}): Promise<TransactionReading> {
  const { rpcUrl, network, signature } = o;
  const reading = await orSilence(readTransfer({ rpc: readNode(rpcUrl), network, signature }));
  return 'silence' in reading ? refuse('transaction_not_found', reading.silence) : reading.value;
}

/** The part of it that is about the NFT, whatever it stands for. */
export async function lookUpMint(o: { document: MintProof; rpcUrl: string }): Promise<SeenMint> {
  const { document } = o;
  const rpc = readNode(o.rpcUrl);
  const [mint, asset, tree] = await Promise.all([
    orSilence(fetchTransaction(rpc, document.mint_signature)),
    readAssetBy(askIndex, { urls: [o.rpcUrl], assetId: document.asset_id }),
    orSilence(rpc.getAccountInfo(document.tree)),
  ]);
  return {
    mintTransaction: 'value' in mint ? mint.value : null,
    asset,
    tree: 'value' in tree ? tree.value : null,
    silences: {
      ...('silence' in mint && { mint: mint.silence }),
      ...('silence' in tree && { tree: tree.silence }),
    },
  };
}

/** What was asked of a node, or why it told nothing. Throws what is no fault of a node. */
async function orSilence<T>(asked: Promise<T>): Promise<{ value: T } | { silence: string }> {
  try {
    return { value: await asked };
  } catch (error) {
    if (isNodeSilence(error)) return { silence: error.message };
    throw error;
  }
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
