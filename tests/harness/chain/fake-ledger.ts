import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { z } from 'zod';
import type { Answer } from './fake-node';

type Call = { method: string; params: unknown[] };

/** A ledger of finalized blocks as one node serves it. Missing blocks count as skipped slots. */
export type FakeLedger = {
  /** Slot of the last finalized block. */
  tip: number;
  /** Slots without a block. */
  skipped: Set<number>;
  /** Slots whose block this node lacks. It treats them as skipped. */
  lacks: Set<number>;
  /** Transactions of blocks, by slot. */
  holds: Map<number, { signature: string; err?: unknown; accounts?: string[] }[]>;
  /** The status that the node returns for any transaction. */
  status: unknown;
  /** The newest slot that the answering machine has seen. */
  seenSlot: number;
};

/** Heights are this much below slots where nothing was skipped. */
const HEIGHT_BELOW = 100;

export function fakeLedger(changes: Partial<FakeLedger> & { tip: number }): FakeLedger {
  return {
    skipped: new Set(),
    lacks: new Set(),
    holds: new Map(),
    status: null,
    seenSlot: changes.tip + 32,
    ...changes,
  };
}

/** Height of the last block at a slot or before. */
export function heightAt({ skipped }: FakeLedger, slot: number): number {
  return slot - HEIGHT_BELOW - [...skipped].filter((one) => one <= slot).length;
}

/** Answers calls about slots, statuses and blocks from a ledger. */
export function answerBy(ledger: FakeLedger) {
  return ({ method, params }: Call): Answer => {
    switch (method) {
      case 'getEpochInfo':
        return { result: { absoluteSlot: ledger.tip, blockHeight: heightAt(ledger, ledger.tip) } };
      case 'getSignatureStatuses':
        return { result: { context: { slot: ledger.seenSlot }, value: [ledger.status] } };
      case 'getBlock':
        return blockOf(ledger, z.number().parse(params[0]), params[1]);
      // Both answers report no gap.
      case 'getBlocks':
        return { result: [] };
      case 'minimumLedgerSlot':
        return { result: 0 };
      default:
        return { error: { code: -32601, message: 'Method not found' } };
    }
  };
}

const options = z.object({
  transactionDetails: z.enum(['signatures', 'accounts']),
  rewards: z.literal(false),
  commitment: z.literal('finalized'),
});

function blockOf(ledger: FakeLedger, slot: number, given: unknown): Answer {
  const { transactionDetails } = options.parse(given);
  if (slot > ledger.tip)
    return { error: { code: -32004, message: `Block not available for slot ${slot}` } };
  if (ledger.skipped.has(slot) || ledger.lacks.has(slot) || slot < HEIGHT_BELOW)
    return { error: { code: -32009, message: `Slot ${slot} was skipped, or missing` } };
  let parent = slot - 1;
  while (ledger.skipped.has(parent)) parent -= 1;
  const held = ledger.holds.get(slot) ?? [];
  const links = {
    blockHeight: heightAt(ledger, slot),
    blockhash: hashOf(slot),
    parentSlot: parent,
    previousBlockhash: hashOf(parent),
  };
  if (transactionDetails === 'signatures')
    return { result: { ...links, signatures: held.map(({ signature }) => signature) } };
  const transactions = held.map(({ signature, err = null, accounts = [] }) => ({
    transaction: {
      signatures: [signature],
      accountKeys: accounts.map((pubkey) => ({ pubkey, signer: false, writable: true })),
    },
    meta: { err },
  }));
  return { result: { ...links, transactions } };
}

function hashOf(slot: number): string {
  return bs58.encode(createHash('sha256').update(`block ${slot}`).digest());
}
