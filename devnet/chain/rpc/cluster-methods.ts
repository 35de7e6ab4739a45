import { VersionedMessage } from '@solana/web3.js';
import bs58 from 'bs58';
import { z } from 'zod';
import { encodeTransaction, requireVersion } from '../encode/encode-transaction';
import type { TxRecord } from '../emulator';
import { invalidParams, RpcError } from '../rpc-error';
import { API_VERSION, type ChainNode, type Commitment } from './node';
import {
  commitment,
  config,
  optional,
  parseParams,
  requireConfirmed,
  type Methods,
} from './params';
import { transactionConfig } from './transaction-methods';

const SLOTS_PER_EPOCH = 432_000;
const LAMPORTS_PER_SIGNATURE = 5_000;
/** Limit of `getBlocks` (agave, MAX_GET_CONFIRMED_BLOCKS_RANGE). */
const MOST_BLOCKS = 500_000;

const slotNumber = z.number().int().nonnegative();

/** Slots, blocks, blockhashes, fees and the node itself. */
export const clusterMethods: Methods = {
  getHealth: (_params, node) => {
    node.requireHealth();
    return 'ok';
  },
  getVersion: () => ({ 'feature-set': 1, 'solana-core': API_VERSION }),
  getGenesisHash: (_params, { chain }) => chain.clock.genesisHash,
  getIdentity: (_params, { chain }) => ({ identity: chain.clock.genesisHash }),
  getFirstAvailableBlock: () => 0,
  minimumLedgerSlot: () => 0,
  getSlot: (params, node) => node.reportedSlot(levelOf(params, node)),
  getBlockHeight: (params, node) => node.reportedHeight(levelOf(params, node)),
  getTransactionCount: (_params, { chain }) => chain.txs.size,
  getRecentPrioritizationFees: (_params, node) => [
    { prioritizationFee: 0, slot: node.slot('processed') },
  ],

  getEpochInfo(params, node) {
    const level = levelOf(params, node);
    const slot = node.reportedSlot(level);
    return {
      absoluteSlot: slot,
      blockHeight: node.reportedHeight(level),
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: node.chain.txs.size,
    };
  },

  getBlockTime(params, node) {
    const [slot] = parseParams(params, slotNumber);
    if (slot > node.slot('processed'))
      throw new RpcError(-32004, `Block not available for slot ${slot}`);
    const landed = node.chain.bySlotOrder.find((record) => record.slot === slot);
    return landed?.blockTime ?? node.chain.clock.timeOf(slot);
  },

  getLatestBlockhash(params, node) {
    const level = levelOf(params, node);
    return node.context(level, node.chain.latestBlockhash(node.slot(level)));
  },

  isBlockhashValid(params, node) {
    const [blockhash, o] = parseParams(params, z.string(), optional(config));
    node.requireContextSlot(o);
    const atSlot = node.slot(o.commitment);
    return node.context(o.commitment, node.chain.isBlockhashValid(blockhash, atSlot));
  },

  getMinimumBalanceForRentExemption(params, { chain }) {
    const [bytes] = parseParams(params, slotNumber, optional(config));
    return Number(chain.rent(bytes));
  },

  getFeeForMessage(params, node) {
    const [text, o] = parseParams(params, z.string(), optional(config));
    const message = decodeMessage(text);
    const isValid = node.chain.isBlockhashValid(message.recentBlockhash);
    const fee = message.header.numRequiredSignatures * LAMPORTS_PER_SIGNATURE;
    return node.context(o.commitment, isValid ? fee : null);
  },

  getBlocks(params, node) {
    const [from, to, o] = parseParams(params, slotNumber, slotNumber.nullish(), optional(config));
    requireConfirmed(o.commitment);
    const last = Math.min(to ?? Infinity, node.slot(o.commitment));
    if (last - from > MOST_BLOCKS) throw invalidParams(`Slot range too large; max ${MOST_BLOCKS}`);
    const slots = Array.from({ length: Math.max(0, last - from + 1) }, (_, n) => from + n);
    if (!node.gaps.shortensBlocks()) return slots;
    return slots.filter((slot) => node.chain.history.inSlot(slot).length === 0);
  },

  getBlock(params, node) {
    const [slot, given] = parseParams(params, slotNumber, optional(blockConfig));
    requireConfirmed(given.commitment);
    if (slot > node.slot(given.commitment))
      throw new RpcError(-32004, `Block not available for slot ${slot}`);
    if (node.gaps.losesBlocks() && node.chain.history.inSlot(slot).length > 0)
      throw new RpcError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`);
    return block(node, slot, given);
  },
};

const blockConfig = transactionConfig.extend({
  transactionDetails: z.enum(['full', 'signatures', 'none', 'accounts']).default('full'),
  rewards: z.boolean().nullish(),
});

/** Every slot has a block here. */
function block(node: ChainNode, slot: number, o: z.infer<typeof blockConfig>) {
  const { chain } = node;
  const records = chain.history.inSlot(slot);
  const full = () =>
    records.map((record) => {
      requireVersion(record.version, o.maxSupportedTransactionVersion);
      const { meta, transaction } = encodeTransaction(record, o.encoding);
      const hasVersion = o.maxSupportedTransactionVersion !== undefined;
      return { meta, transaction, ...(hasVersion ? { version: record.version } : {}) };
    });
  return {
    blockHeight: chain.clock.heightOf(slot),
    blockTime: records[0]?.blockTime ?? chain.clock.timeOf(slot),
    blockhash: chain.clock.blockhash(slot),
    parentSlot: slot - 1,
    previousBlockhash: chain.clock.blockhash(slot - 1),
    ...(o.transactionDetails === 'full' ? { transactions: full() } : {}),
    ...(o.transactionDetails === 'accounts' ? { transactions: records.map(withAccounts) } : {}),
    ...(o.transactionDetails === 'signatures'
      ? { signatures: records.map((record) => record.signature) }
      : {}),
  };
}

/** A transaction in the form of `transactionDetails: "accounts"`. */
function withAccounts({ signatures, keys, writable, version, meta }: TxRecord) {
  const { err, fee, preBalances, postBalances } = meta;
  return {
    transaction: {
      signatures,
      accountKeys: keys.map((pubkey, i) => ({
        pubkey,
        signer: i < signatures.length,
        writable: writable[i] ?? false,
        source: 'transaction',
      })),
    },
    meta: {
      err,
      fee,
      status: err === null ? { Ok: null } : { Err: err },
      preBalances,
      postBalances,
    },
    version,
  };
}

/** The commitment of a call. -32016 when it asks for a newer slot than there is. */
function levelOf(params: unknown, node: ChainNode): Commitment {
  // Some clients send the commitment alone.
  const [o] = parseParams(params, z.union([commitment, optional(config)]));
  if (typeof o === 'string') return o;
  node.requireContextSlot(o);
  return o.commitment;
}

function decodeMessage(text: string): VersionedMessage {
  const bytes = Buffer.from(text, 'base64');
  try {
    return VersionedMessage.deserialize(new Uint8Array(bytes.length ? bytes : bs58.decode(text)));
  } catch {
    throw invalidParams('invalid base64 encoding of a message');
  }
}
