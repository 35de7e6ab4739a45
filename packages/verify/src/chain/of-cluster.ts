import { GENESIS_HASH, type Network } from '../network';
import type { ProofReader } from './chain-reader';
import { isNodeSilence, RpcUnavailable } from './rpc-errors';

/** Genesis hash of the public test cluster, on which nothing is issued (same source). */
const TESTNET = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';
const PUBLIC: ReadonlySet<string> = new Set([...Object.values(GENESIS_HASH), TESTNET]);

/**
 * The same node, silent if it is of another cluster than the network: its missing or different data
 * proves nothing. A node that does not name its cluster answers as before, but gives no blocks. A
 * block of another cluster would make a payment look invented.
 */
export function ofCluster(rpc: ProofReader, network: Network): ProofReader {
  let asked: Promise<boolean> | undefined;
  /** Whether the node said that it is of this cluster. */
  const isKnown = (): Promise<boolean> => (asked ??= knowsCluster(rpc, network));
  const after = <T>(ask: () => Promise<T>): Promise<T> => isKnown().then(ask);
  return {
    getTransaction: (...given) => after(() => rpc.getTransaction(...given)),
    getSignatureStatuses: (...given) => after(() => rpc.getSignatureStatuses(...given)),
    getAccountInfo: (...given) => after(() => rpc.getAccountInfo(...given)),
    getSignaturesForAddress: (...given) => after(() => rpc.getSignaturesForAddress(...given)),
    getBlock: async (slot) => ((await isKnown()) ? rpc.getBlock(slot) : null),
    getOwnedAccounts: (...given) => after(() => rpc.getOwnedAccounts(...given)),
    getGenesisHash: () => rpc.getGenesisHash(),
  };
}

/** False for a node that does not say; throws RpcUnavailable for one of another cluster. */
async function knowsCluster(rpc: ProofReader, network: Network): Promise<boolean> {
  let genesis: string;
  try {
    genesis = await rpc.getGenesisHash();
  } catch (error) {
    if (isNodeSilence(error)) return false;
    throw error;
  }
  const isOther = network === 'local' ? PUBLIC.has(genesis) : genesis !== GENESIS_HASH[network];
  if (isOther)
    throw new RpcUnavailable(
      `the node is of another cluster than ${network}: genesis hash ${genesis}`,
    );
  return true;
}
