import type { Chain } from '../chain';
import type { Faucet } from '../faucet';
import { RECENT_BLOCKHASHES, recentBlockhashesAt } from '../recent-blockhashes';
import type { RecordedTransaction } from '../recorded/load-recorded';
import { RpcError } from '../rpc-error';

export type Commitment = 'processed' | 'confirmed' | 'finalized';
export type Status = Commitment;

const RANK: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 2 };

/** A node that many slots behind calls itself unhealthy (agave's health-check-slot-distance). */
const UNHEALTHY_LAG_SLOTS = 128;

/** One RPC node's view of the ledger. A node that lags knows nothing newer than its own slot. */
export type ChainNode = ReturnType<typeof openNode>;

/** Gaps in a node's history when its slots and accounts are current. */
export type NodeGaps = {
  /** Whether statuses, transactions and histories by address are answered as if none had landed. */
  isBlind: () => boolean;
  /** Whether `getBlock` reports blocks with transactions as skipped. */
  losesBlocks: () => boolean;
  /** Whether `getBlocks` silently leaves slots out. */
  shortensBlocks: () => boolean;
};

/** A node without gaps. */
export const NO_GAPS: NodeGaps = {
  isBlind: () => false,
  losesBlocks: () => false,
  shortensBlocks: () => false,
};

export function openNode(o: {
  chain: Chain;
  recorded: ReadonlyMap<string, RecordedTransaction>;
  faucet: Faucet;
  lagSlots: () => number;
  /** Whether this node names a transaction in histories. */
  isListed: (signature: string) => boolean;
  gaps: NodeGaps;
  tellsPositions: () => boolean;
  /** How much the slots and heights that it reports are too high. Its ledger is not ahead. */
  aheadSlots: () => number;
}) {
  const { chain } = o;
  const confirmedLag = Math.min(1, chain.finalityLag);
  const newest = (commitment: Commitment) => {
    if (commitment === 'finalized') return chain.finalSlot();
    return chain.slot() - (commitment === 'confirmed' ? confirmedLag : 0);
  };
  const slot = (commitment: Commitment = 'processed') => newest(commitment) - o.lagSlots();

  return {
    chain,
    recorded: o.recorded,
    faucet: o.faucet,
    isListed: o.isListed,
    gaps: o.gaps,
    /** Whether it names the position of a transaction in its block (agave 4.0 and later). */
    tellsPositions: o.tellsPositions,
    slot,
    reportedSlot: (commitment: Commitment) => slot(commitment) + o.aheadSlots(),
    reportedHeight: (commitment: Commitment) =>
      chain.clock.heightOf(slot(commitment)) + o.aheadSlots(),

    /**
     * The stage of a transaction of our ledger as this node sees it. Null when it does not see it
     * yet.
     */
    status(landed: { slot: number }): Status | null {
      // Most of a history is final, and each requested slot costs a read of the clock.
      if (landed.slot <= slot('finalized')) return 'finalized';
      if (landed.slot > slot()) return null;
      return landed.slot <= slot('confirmed') ? 'confirmed' : 'processed';
    },
    sees(landed: { slot: number }, commitment: Commitment): boolean {
      const status = this.status(landed);
      return status !== null && RANK[status] >= RANK[commitment];
    },
    account: (address: string, commitment: Commitment) =>
      address === RECENT_BLOCKHASHES
        ? recentBlockhashesAt(chain.clock, slot(commitment))
        : chain.accountAt(address, slot(commitment)),

    context<T>(commitment: Commitment, value: T) {
      return { context: { apiVersion: API_VERSION, slot: this.reportedSlot(commitment) }, value };
    },

    /** -32005 when the node is too far behind to answer. */
    requireHealth(): void {
      const lag = o.lagSlots();
      if (lag < UNHEALTHY_LAG_SLOTS) return;
      throw new RpcError(-32005, `Node is behind by ${lag} slots`, { numSlotsBehind: lag });
    },
    /** -32016 when the client wants an answer newer than this node can give. */
    requireContextSlot(o: { commitment: Commitment; minContextSlot?: number | undefined }): void {
      const contextSlot = slot(o.commitment);
      if (o.minContextSlot === undefined || o.minContextSlot <= contextSlot) return;
      throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot });
    },
  };
}

/** The release whose answers are emulated. */
export const API_VERSION = '4.0.0';
