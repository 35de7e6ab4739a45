import type { ProofReader } from '../chain/chain-reader';
import { fetchTransaction } from '../chain/fetch-transaction';
import { ofCluster } from '../chain/of-cluster';
import { type AskNode, NoJson, postJson } from '../chain/post-json';
import { type AssetNow, readAssetBy } from '../chain/read-asset';
import { readNode } from '../chain/read-node';
import { readTransfer } from '../chain/read-transfer';
import { isNodeSilence } from '../chain/rpc-errors';
import { refuse, type TransactionReading } from '../chain/transfer';
import type { Network } from '../network';
import { followLeaf } from '../nft/follow-leaf';
import { checkPlace } from './check-place';
import { placeOfMint, type SeenMint, type SeenOnChain, type StatedMint } from './evidence-of-proof';
import { findLeaf } from './minted-leaf';
import type { ProofDocument } from './proof-document';

/** The places to ask: a node, and an index of assets, which many nodes lack. */
export type Places = {
  network: Network;
  rpc: ProofReader;
  /** Null where no index of assets answers. */
  readAsset: (assetId: string) => Promise<AssetNow | null>;
  /** Changes of a tree that are read at most; as many as ever make sense where it is left out. */
  mostChanges?: number | undefined;
};

/** One Solana node; `ask` replaces the network. A node of another cluster gives no answers. */
export function openPlaces(o: { rpcUrl: string; ask?: AskNode; network: Network }): Places {
  const { rpcUrl, ask, network } = o;
  return {
    network,
    rpc: ofCluster(readNode(rpcUrl, ask), network),
    readAsset: (assetId) => readAssetBy(askIndex(ask), { urls: [rpcUrl], assetId }),
  };
}

/**
 * Looks up the parts that a proof names: the mint transaction, the tree and the payment. With an
 * index of assets, it also looks up the current holder of the NFT and its newest proof. A part
 * without an answer is missing in the result, with the reason.
 */
export async function lookUpProof(o: { document: ProofDocument } & Places): Promise<SeenOnChain> {
  const [minted, payment] = await Promise.all([
    lookUpMint(o),
    readPayment({ ...o, signature: o.document.tx_signature }),
  ]);
  return { ...minted, payment };
}

/**
 * A payment from a node. If the node returns nothing about it, it counts as not found, with the
 * reason.
 */
export async function readPayment(
  o: { signature: string } & Pick<Places, 'rpc' | 'network'>,
): Promise<TransactionReading> {
  const reading = await orSilence(readTransfer(o));
  return 'silence' in reading ? refuse('transaction_not_found', reading.silence) : reading.value;
}

/**
 * The part about the NFT, for a receipt or a statement. If no index of assets shows the current
 * position of the leaf, it is followed through the history of its tree. The command line, the page
 * and the proof that the service writes all use this.
 */
export async function lookUpMint(o: { document: StatedMint } & Places): Promise<SeenMint> {
  const { document, rpc } = o;
  const seen = await lookAtMint(o);
  const evidence = placeOfMint({ document, seen });
  const leaf = findLeaf(evidence);
  const isShown = checkPlace({ evidence, leaf }).every(({ outcome }) => outcome === 'held');
  if (!leaf || isShown) return seen;
  const mintSignature = document.mint_signature;
  const most = o.mostChanges;
  return { ...seen, history: await followLeaf({ rpc, leaf, mintSignature, most }) };
}

async function lookAtMint(o: { document: StatedMint } & Places): Promise<SeenMint> {
  const { document, rpc } = o;
  const [mint, asset, tree] = await Promise.all([
    orSilence(fetchTransaction(rpc, document.mint_signature)),
    o.readAsset(document.asset_id),
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

/** The answer of a node, or why there is none. Throws errors that are not the node's fault. */
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
