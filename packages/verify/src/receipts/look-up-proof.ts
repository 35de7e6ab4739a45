import { fetchTransaction } from '../chain/fetch-transaction';
import { type AskNode, NoJson, postJson } from '../chain/post-json';
import { readAssetBy } from '../chain/read-asset';
import { readNode } from '../chain/read-node';
import { readTransfer } from '../chain/read-transfer';
import { isNodeSilence } from '../chain/rpc-errors';
import { refuse, type TransactionReading } from '../chain/transfer';
import type { Network } from '../network';
import { followLeaf } from '../nft/follow-leaf';
import { checkPlace } from './check-place';
import { placeOfMint, type SeenMint, type SeenOnChain } from './evidence-of-proof';
import { findLeaf } from './minted-leaf';
import type { MintProof, ProofDocument } from './proof-document';

/** A Solana node, and how it is asked where not over the network. */
type Node = { rpcUrl: string; ask?: AskNode | undefined };

/**
 * Looks up on one Solana node what a proof names: the mint transaction, the tree, the payment and, where
 * the node keeps an index of assets, who holds the NFT now and its newest proof. What it does not answer is
 * missing in what is given, with the reason.
 */
export async function lookUpProof(
  o: { document: ProofDocument; network: Network } & Node,
): Promise<SeenOnChain> {
  const [minted, payment] = await Promise.all([
    lookUpMint(o),
    readPayment({ ...o, signature: o.document.tx_signature }),
  ]);
  return { ...minted, payment };
}

/** A payment as a node shows it; one that the node tells nothing of is not found, with the reason. */
export async function readPayment(
  o: { network: Network; signature: string } & Node,
): Promise<TransactionReading> {
  const { rpcUrl, ask, network, signature } = o;
  const reading = await orSilence(readTransfer({ rpc: readNode(rpcUrl, ask), network, signature }));
  return 'silence' in reading ? refuse('transaction_not_found', reading.silence) : reading.value;
}

/**
 * The part of it that is about the NFT, whatever it stands for. Where no index of assets shows where the leaf is
 * now, it is followed through the history of its tree.
 */
export async function lookUpMint(o: { document: MintProof } & Node): Promise<SeenMint> {
  const seen = await lookAtMint(o);
  const evidence = placeOfMint({ document: o.document, seen });
  const leaf = findLeaf(evidence);
  const isShown = checkPlace({ evidence, leaf }).every(({ outcome }) => outcome === 'held');
  if (!leaf || isShown) return seen;
  const rpc = readNode(o.rpcUrl, o.ask);
  const mintSignature = o.document.mint_signature;
  return { ...seen, history: await followLeaf({ rpc, leaf, mintSignature }) };
}

async function lookAtMint(o: { document: MintProof } & Node): Promise<SeenMint> {
  const { document } = o;
  const rpc = readNode(o.rpcUrl, o.ask);
  const [mint, asset, tree] = await Promise.all([
    orSilence(fetchTransaction(rpc, document.mint_signature)),
    readAssetBy(askIndex(o.ask), { urls: [o.rpcUrl], assetId: document.asset_id }),
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
function askIndex(ask: AskNode = postJson): AskNode {
  return async (url, body) => {
    try {
      return await ask(url, body);
    } catch (error) {
      if (error instanceof NoJson) return undefined;
      throw error;
    }
  };
}
