import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { registerBubblegum } from '@/devnet/chain/bubblegum/register';
import { Chain } from '@/devnet/chain/chain';
import { encodeTransaction } from '@/devnet/chain/encode/encode-transaction';
import { RpcError } from '@/devnet/chain/rpc-error';
import { startSlotClock } from '@/devnet/chain/slot-clock';
import { vanishTransaction } from '@/devnet/chain/vanish-transaction';
import type { Mint, PrismaClient } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SecretKey } from '@/server/env';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { trusted } from '@/server/trusted';
import { createMint } from './mint-rows';
import { createTree } from './create-tree';
import { decodeLeafEvents, type LeafEvent } from '@quittance/verify/nft/leaf';
import { planTree } from './plan-tree';

const FINALITY_SLOTS = 8;
const SYSTEM = '11111111111111111111111111111111';

/** How one node behaves: `lag` hides the last so many slots, `down` answers nothing. */
export type NodeMood = {
  lag: number;
  down: boolean;
  /** Knows no status and no transaction. */
  blind: boolean;
  /** Stands still at this slot. */
  stillAt: number | null;
  /** Has no block that holds a transaction, and calls it skipped. */
  losesBlocks: boolean;
  /** Reports slots and heights of final blocks that are too high by this number. */
  tipAhead: bigint;
  /** Signatures that it alone calls final. */
  claims: Set<string>;
};

export const START = new Date('2026-11-28T10:00:00Z');
export const later = (ms: number) => new Date(START.getTime() + ms);

/**
 * An embedded chain in this process whose slots pass only when the test says so. It has any number
 * of nodes in front of it and a minter with money.
 */
export function makeChain(nodeCount = 1) {
  const chain = new Chain({
    finalityLag: FINALITY_SLOTS,
    clock: startSlotClock({ nowMs: () => START.getTime() }),
  });
  registerBubblegum(chain);
  const secret = makeEmbeddedKey();
  const minter: SecretKey = { secret, publicKey: publicKeyOf(secret) };
  chain.set(minter.publicKey, {
    lamports: 10_000_000_000n,
    owner: SYSTEM,
    data: new Uint8Array(),
    executable: false,
  });
  chain.advanceSlots(1);
  const moods = Array.from({ length: nodeCount }, (): NodeMood => {
    return {
      lag: 0,
      stillAt: null,
      down: false,
      blind: false,
      losesBlocks: false,
      tipAhead: 0n,
      claims: new Set(),
    };
  });
  const sends = { dropNext: 0, loseAnswers: 0, wires: new Array<string>() };
  const rpc = trusted<Rpc>(
    {
      ...nodeRpc(chain, moods, 0, sends),
      nodes: nodeCount,
      calls: new Map(),
      unmetered: { onNode: (node: number) => nodeRpc(chain, moods, node, sends) },
      onNode: (node: number) => nodeRpc(chain, moods, node, sends),
    },
    'the tested functions use these methods alone',
  );
  return {
    chain,
    rpc,
    minter,
    moods,
    sends,
    /** Lets slots pass until landed transactions are final. */
    finalize: () => chain.advanceSlots(FINALITY_SLOTS + 1),
    /** Lets slots pass until no blockhash of now can land, by the margin that is kept, and that is final. */
    expire: () => chain.advanceSlots(150 + 64 + FINALITY_SLOTS + 2),
    vanish: (signature: string) => vanishTransaction(chain, signature),
    leaves: () => leavesOf(chain),
  };
}
export type TestChain = ReturnType<typeof makeChain>;

function leavesOf(chain: Chain): (LeafEvent & { signature: string })[] {
  return chain.bySlotOrder.flatMap((record) =>
    decodeLeafEvents(encodeTransaction(record, 'json')).map((leaf) => {
      return { ...leaf, signature: record.signature };
    }),
  );
}

function nodeRpc(
  chain: Chain,
  moods: NodeMood[],
  node: number,
  sends: { dropNext: number; loseAnswers: number; wires: string[] },
) {
  const mood = moods[node];
  if (!mood) throw new Error(`there is no node ${node}`);
  const slot = () => {
    if (mood.down) throw new RpcUnavailable(`node ${node} is down`);
    return Math.min(chain.slot(), mood.stillAt ?? chain.slot()) - mood.lag;
  };
  const newest = (commitment: string) =>
    commitment === 'finalized' ? slot() - FINALITY_SLOTS : slot();
  const find = (signature: string, commitment: string) => {
    const record = chain.txs.get(signature);
    return record && !mood.blind && record.slot <= newest(commitment) ? record : null;
  };
  const statusOf = (signature: string) => {
    if (mood.claims.has(signature))
      return { slot: 5n, err: null, confirmationStatus: 'finalized' as const };
    const record = find(signature, 'confirmed');
    return (
      record && {
        slot: BigInt(record.slot),
        err: record.meta.err,
        confirmationStatus: find(signature, 'finalized')
          ? ('finalized' as const)
          : ('confirmed' as const),
      }
    );
  };
  return {
    getTransaction: async (signature: string, commitment: string) => {
      const record = find(signature, commitment);
      return record && { ...encodeTransaction(record, 'json'), slot: record.slot };
    },
    getSignatureStatuses: async (signatures: string[]) => signatures.map(statusOf),
    seeSignature: async (signature: string) => ({
      slot: BigInt(slot()) + mood.tipAhead,
      status: statusOf(signature),
    }),
    getFinalizedTip: async () => ({
      slot: BigInt(newest('finalized')) + mood.tipAhead,
      height: BigInt(chain.clock.heightOf(newest('finalized'))) + mood.tipAhead,
    }),
    getBlock: async (at: bigint) => {
      if (at > BigInt(newest('finalized'))) return null;
      const held = chain.history.inSlot(Number(at));
      if (mood.losesBlocks && held.length > 0) return null;
      return {
        height: BigInt(chain.clock.heightOf(Number(at))),
        blockhash: chain.clock.blockhash(Number(at)),
        parentSlot: at - 1n,
        previousBlockhash: chain.clock.blockhash(Number(at) - 1),
        signatures: held.map(({ signature }) => signature),
      };
    },
    getBlockTransactions: async (at: bigint) => {
      slot();
      const held = chain.history.inSlot(Number(at));
      return held.map(({ signature, keys, meta }) => ({
        signature,
        accounts: keys,
        err: meta.err,
      }));
    },
    getSlot: async (commitment: string) => BigInt(newest(commitment)),
    getLatestBlockhash: async () => {
      const { blockhash, lastValidBlockHeight } = chain.latestBlockhash(slot());
      return { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
    },
    sendTransaction: async (wire: string, o: { skipPreflight: boolean }) => {
      slot();
      sends.wires.push(wire);
      if (sends.dropNext > 0) {
        sends.dropNext -= 1;
        return 'dropped';
      }
      const signature = trySend(chain, wire, o.skipPreflight);
      if (sends.loseAnswers > 0) {
        sends.loseAnswers -= 1;
        throw new RpcUnavailable('the connection broke after the node took the transaction');
      }
      return signature;
    },
    getAccountInfo: async (address: string) => chain.get(address),
    getBalance: async (address: string) => chain.get(address)?.lamports ?? 0n,
    getMinimumBalanceForRentExemption: async (bytes: number) => chain.rent(bytes),
  };
}

function trySend(chain: Chain, wire: string, skipPreflight: boolean): string {
  try {
    return chain.send(Buffer.from(wire, 'base64'), { skipPreflight });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new RpcRefused('sendTransaction', error.code, error.message, error.data);
  }
}

/** Makes and registers a tree of 8 leaves (depth 3) or more. */
export async function addTree(world: TestChain, db: PrismaClient, depth: 3 | 5 = 3, at = START) {
  const planning = planTree({ depth, buffer: 8, canopy: 0 });
  if (!planning.ok) throw new Error(planning.reason);
  const { rpc, minter } = world;
  const tree = await createTree({
    db,
    rpc,
    minter,
    network: 'local',
    plan: planning.plan,
    now: at,
  });
  world.finalize();
  return tree;
}

function randomAddress(): string {
  return bs58.encode(randomBytes(32));
}

/** A mint whose transfer is final and whose files are stored: the next step signs. */
export async function addMint(db: PrismaClient, fields: Partial<Mint> = {}): Promise<Mint> {
  const id = randomBytes(6).toString('hex').toUpperCase();
  await createMint(
    db,
    {
      id,
      kind: 'receipt',
      owner: randomAddress(),
      name: `Receipt ${id}`,
      metadataUri: `http://127.0.0.1:8898/${randomAddress()}`,
      metadataItemId: randomAddress(),
      imageItemId: randomAddress(),
      transactionSignature: null,
      paymentSignature: null,
      paid: false,
    },
    START,
  );
  return db.mint.update({ where: { id }, data: { stage: 'metadata_stored', ...fields } });
}
