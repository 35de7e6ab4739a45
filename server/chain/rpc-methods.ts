import { setTimeout as sleep } from 'node:timers/promises';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type {
  Account,
  Block,
  BlockTransaction,
  SignatureLine,
  SignatureStatus,
} from '@quittance/verify/chain/rpc-schemas';
import { BLOCKHASH_LIFE_BLOCKS, MARGIN_BLOCKS, MOST_APART } from './landing-margin';

export type Commitment = 'confirmed' | 'finalized';
export type Simulation = {
  err: unknown;
  accounts: (Account | null)[];
  /** Lamports of the keys of the message before it ran; empty from nodes that do not return it (Agave before 3.0). */
  lamportsBefore: bigint[];
  /** Slot of the block that it ran on. */
  slot: bigint;
};

/**
 * The methods of Solana's JSON-RPC that the service uses, with parsed answers. Every method throws
 * RpcUnavailable when no node gives a usable answer and RpcRefused when one refuses the request. Null
 * means that all nodes agree that it is not there.
 */
export type Rpc = {
  /** How many nodes this asks. */
  readonly nodes: number;
  /** Questions asked so far, by method, over all nodes. */
  readonly calls: ReadonlyMap<string, number>;
  /**
   * The nodes without the meter, for data that is read once for everybody. The first caller must
   * not pay for it, nor be able to stop it.
   */
  readonly unmetered: Pick<Rpc, 'onNode'>;
  /** The same methods on a single node, for two reads that must come from the same place. */
  onNode(index: number): Rpc;
  /** `json` encoding, versions up to 0. Null only when every node says it knows none. */
  getTransaction(signature: string, commitment: Commitment): Promise<RawTransaction | null>;
  /** Whether {@link getTransactions} asks in one request: not every node takes that. */
  takesBatches(): boolean;
  /**
   * Like `getTransaction` for as many signatures as a node can answer within the timeout, in one
   * request. It only saves time. An answer in a wrong form is undefined and must be requested
   * alone. Never throws.
   */
  getTransactions(
    signatures: readonly string[],
    commitment: Commitment,
  ): Promise<(RawTransaction | undefined)[]>;
  /** In the order of `signatures` (256 at most), with the whole history searched. */
  getSignatureStatuses(
    signatures: readonly string[],
    o?: { node?: number },
  ): Promise<(SignatureStatus | null)[]>;
  /** Status of one transaction, with the newest slot that the answering node had seen by then. */
  seeSignature(signature: string): Promise<{ status: SignatureStatus | null; slot: bigint }>;
  /** The last finalized block: its slot, and its height, which slots without a block do not count in. */
  getFinalizedTip(): Promise<{ slot: bigint; height: bigint }>;
  /**
   * The finalized block of a slot, with signatures and no rewards. Null: no node has a block there, which
   * proves nothing about a slot alone.
   */
  getBlock(slot: bigint): Promise<Block | null>;
  /** The transactions of a finalized block with the accounts they name: some megabytes on a public cluster. */
  getBlockTransactions(slot: bigint): Promise<BlockTransaction[] | null>;
  /** Newest first, `limit` or 1000 at most, older than `before` and newer than `until`, at `confirmed`. */
  getSignaturesForAddress(
    address: string,
    o?: { before?: string; until?: string; limit?: number },
  ): Promise<SignatureLine[]>;
  /** Addresses of the open token accounts of a mint that a wallet owns, at `confirmed`. */
  getTokenAccountsByOwner(wallet: string, mint: string): Promise<string[]>;
  /** `processed` may be ahead of what will be confirmed, and is the newest that a node knows. */
  getSlot(commitment: Commitment | 'processed', o?: { node?: number }): Promise<bigint>;
  /** Unix seconds of a block, as its validators agreed. Null for a slot without one. */
  getBlockTime(slot: bigint): Promise<bigint | null>;
  /**
   * At `confirmed`: a finalized one would be a fifth of its life old already. Of several nodes, the one with the
   * highest last valid height that the others do not rule out.
   */
  getLatestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: bigint }>;
  /** Sends signed bytes (base64) once through every node, without repeats. Returns the signature once one accepts them. */
  sendTransaction(wireBase64: string, o: { skipPreflight: boolean }): Promise<string>;
  /**
   * Simulates a transaction (base64) at `confirmed`, with its own blockhash and signatures
   * unchecked. Returns its error or null, and `accounts` after it, which is empty when it fails.
   */
  simulateTransaction(wireBase64: string, o: { accounts: readonly string[] }): Promise<Simulation>;
  /** At `confirmed`. */
  getAccountInfo(address: string): Promise<Account | null>;
  /** At `finalized`, 100 at most, all of one slot. */
  getAccounts(
    addresses: readonly string[],
  ): Promise<{ slot: bigint; accounts: (Account | null)[] }>;
  /** A wallet's open token accounts of one token program at `finalized`, with the first 72 bytes of each. */
  getOwnedAccounts(
    wallet: string,
    program: string,
  ): Promise<{ account: string; data: Uint8Array }[]>;
  /** The 20 token accounts that hold most of a mint, at `finalized`: of an NFT, the one that holds it. */
  getTokenLargestAccounts(mint: string): Promise<{ address: string; amount: bigint }[]>;
  /** Lamports at `confirmed`; 0 for an account that does not exist. */
  getBalance(address: string): Promise<bigint>;
  /** Lamports at `confirmed`, with the slot of the block that they were read from. */
  seeBalance(address: string): Promise<{ lamports: bigint; slot: bigint }>;
  getGenesisHash(): Promise<string>;
  getMinimumBalanceForRentExemption(bytes: number): Promise<bigint>;
};

type Blockhash = { blockhash: string; lastValidBlockHeight: bigint };

/** Questions about blockhashes that one node answers. */
export type BlockhashNode = {
  latest(): Promise<Blockhash>;
  /** Its own height, the newest it knows. */
  height(): Promise<bigint>;
  /** Whether this node thinks that a transaction with this blockhash can still land. */
  knows(blockhash: string): Promise<boolean>;
};

type Told = Blockhash & { node: BlockhashNode };

/** Nodes answer within some tens of milliseconds. One that is silent for longer is not waited for. */
const PATIENCE_MS = 1_000;
/** A node that keeps up has several new blocks in this time. */
const MOVES_WITHIN_MS = 1_500;

/**
 * The blockhash with the highest last valid height of all nodes. A node that lags or stands still
 * returns a lower height, by which a transaction would count as expired while it can still land. A height far above
 * those of the other nodes must be possible, because nothing would ever reach an invented one. Throws RpcUnavailable
 * when no node answers and when two nodes that both move contradict each other, and RpcRefused.
 */
export async function newestBlockhash(nodes: readonly BlockhashNode[]): Promise<Blockhash> {
  const told = await askAll(nodes);
  const [first, second, ...others] = told.sort((a, b) => compare(b, a));
  if (!first) throw new RpcUnavailable('There is no node to ask for a blockhash');
  if (nodes.length === 1) return plain(first);
  if (second && isNear(first, second)) return plain(first);
  // Of three or more, one that is far above all others returns a height that nothing could ever reach.
  if (second && others.length > 0) return plain(second);
  return second ? chooseOfTwo(first, second) : plain(await possible(first));
}

async function askAll(nodes: readonly BlockhashNode[]): Promise<Told[]> {
  const told: Told[] = [];
  const troubles: Error[] = [];
  const all = Promise.all(
    nodes.map(async (node) => {
      try {
        told.push({ ...(await node.latest()), node });
      } catch (error) {
        if (!isNodeSilence(error)) throw error;
        troubles.push(error);
      }
    }),
  );
  await Promise.race([all, sleep(PATIENCE_MS, undefined, { ref: false })]);
  if (told.length === 0) await all;
  if (told.length === 0 && troubles[0]) throw troubles[0];
  return [...told];
}

/** Which of two distant heights to believe: the lower node may stand still, or the higher one may invent. */
async function chooseOfTwo(high: Told, low: Told): Promise<Blockhash> {
  if (!(await isPossible(high))) return plain(low);
  const latest = await latestKnownTo(low.node, high);
  if (latest !== null) return latest;
  // The lower node does not know the hash. One that keeps up would.
  await sleep(MOVES_WITHIN_MS, undefined, { ref: false });
  if ((await low.node.height()) + BLOCKHASH_LIFE_BLOCKS > low.lastValidBlockHeight)
    throw new RpcUnavailable(
      `two nodes contradict each other: one says that its blockhash ends at height ${high.lastValidBlockHeight}, the other that its ends at ${low.lastValidBlockHeight}`,
    );
  return plain(high);
}

/**
 * A blockhash with the height that a second node gives it, or null when that node does not know it.
 * A node that knows it now saw its block, so it ends at most one life later.
 */
async function latestKnownTo(witness: BlockhashNode, one: Told): Promise<Blockhash | null> {
  if (!(await witness.knows(one.blockhash))) return null;
  const atMost = (await witness.height()) + BLOCKHASH_LIFE_BLOCKS;
  const { blockhash, lastValidBlockHeight: said } = one;
  return { blockhash, lastValidBlockHeight: said < atMost ? said : atMost };
}

/** A blockhash that no other node can confirm, if its own node's height allows it. Throws RpcUnavailable else. */
async function possible(one: Told): Promise<Told> {
  if (await isPossible(one)) return one;
  throw new RpcUnavailable(
    `the only node that answers reports a last valid height of ${one.lastValidBlockHeight}, which its own height rules out`,
  );
}

/** Several machines may stand behind one URL, and the one that returns the height may be some blocks behind. */
async function isPossible({ node, lastValidBlockHeight }: Told): Promise<boolean> {
  return lastValidBlockHeight <= (await node.height()) + BLOCKHASH_LIFE_BLOCKS + MARGIN_BLOCKS;
}

function isNear(high: Told, low: Told): boolean {
  return high.lastValidBlockHeight - low.lastValidBlockHeight <= MOST_APART;
}

function plain({ blockhash, lastValidBlockHeight }: Told): Blockhash {
  return { blockhash, lastValidBlockHeight };
}

function compare(a: Blockhash, b: Blockhash): number {
  return Number(a.lastValidBlockHeight - b.lastValidBlockHeight);
}
