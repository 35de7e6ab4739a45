import bs58 from 'bs58';
import { z } from 'zod';
import { encodeTransaction, requireVersion } from '../encode/encode-transaction';
import type { TxRecord } from '../emulator';
import { STATUS_CACHE_SLOTS, type HistoryLine } from '../history';
import { encodeRecorded } from '../recorded/encode-recorded';
import { invalidParams } from '../rpc-error';
import type { ChainNode } from './node';
import {
  address,
  config,
  optional,
  parseParams,
  requireConfirmed,
  signature,
  type Methods,
} from './params';

const encoding = z.enum(['json', 'jsonParsed', 'base64', 'base58']);
export const transactionConfig = config.extend({
  encoding: encoding.nullish().transform((value) => value ?? 'json'),
  maxSupportedTransactionVersion: z
    .number()
    .int()
    .nullish()
    .transform((value) => value ?? undefined),
});
/** Some clients send the encoding alone. */
const encodingOrConfig = z.preprocess(
  (value) => (typeof value === 'string' ? { encoding: value } : (value ?? {})),
  transactionConfig,
);
const MAX_STATUSES = 256;
const MAX_PAGE = 1000;
const statusConfig = z.object({ searchTransactionHistory: z.boolean().nullish() });
const historyConfig = config.extend({
  limit: z.number().int().nullish(),
  before: signature.nullish().transform((value) => value ?? undefined),
  until: signature.nullish().transform((value) => value ?? undefined),
});

/** Reading transactions: statuses, history by address, whole transactions. */
export const transactionMethods: Methods = {
  getSignatureStatuses(params, node) {
    const [signatures, o] = parseParams(params, z.array(signature), optional(statusConfig));
    if (signatures.length > MAX_STATUSES)
      throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    const search = o.searchTransactionHistory === true;
    return node.context(
      'processed',
      signatures.map((text) => statusOf(node, text, search)),
    );
  },

  getTransaction(params, node) {
    const [text, o] = parseParams(params, signature, encodingOrConfig);
    requireConfirmed(o.commitment);
    const found = findTransaction(node, text, o);
    if (!found) return null;
    requireVersion(found.version, o.maxSupportedTransactionVersion);
    const hasVersion = o.maxSupportedTransactionVersion !== undefined;
    return { ...found.printed, ...(hasVersion ? { version: found.version } : {}) };
  },

  getSignaturesForAddress(params, node) {
    const [key, o] = parseParams(params, address, optional(historyConfig));
    requireConfirmed(o.commitment);
    const isBlind = node.gaps.isBlind();
    node.requireContextSlot(o);
    const limit = o.limit ?? MAX_PAGE;
    if (limit < 1 || limit > MAX_PAGE) throw invalidParams(`Invalid limit; max ${MAX_PAGE}`);
    const isVisible = (line: HistoryLine) =>
      node.isListed(line.signature) &&
      (node.recorded.has(line.signature) || (!isBlind && node.sees(line, o.commitment)));
    return node.chain.history
      .pageOf(key, { limit, before: o.before, until: o.until }, isVisible)
      .map((line) => ({
        blockTime: line.blockTime,
        confirmationStatus: node.recorded.has(line.signature) ? 'finalized' : node.status(line),
        err: line.err,
        memo: line.memo,
        signature: line.signature,
        slot: line.slot,
        ...positionOf(node, line),
      }));
  },
};

function statusOf(node: ChainNode, text: string, search: boolean) {
  const recorded = node.recorded.get(text)?.line;
  const record = ownRecord(node, text);
  const landed = record ?? recorded;
  if (!landed) return null;
  const confirmationStatus = record ? node.status(record) : 'finalized';
  if (confirmationStatus === null) return null;
  const age = node.slot('processed') - landed.slot;
  if (!search && (!record || age > STATUS_CACHE_SLOTS)) return null;
  const err = record ? record.meta.err : (recorded?.err ?? null);
  return {
    confirmationStatus,
    confirmations: confirmationStatus === 'finalized' ? null : age,
    err,
    slot: landed.slot,
    status: err === null ? { Ok: null } : { Err: err },
  };
}

/** A transaction of our own ledger. Undefined on a node that lost its history. */
function ownRecord(node: ChainNode, text: string): TxRecord | undefined {
  return node.gaps.isBlind() ? undefined : node.chain.txs.get(text);
}

function findTransaction(node: ChainNode, text: string, o: z.infer<typeof transactionConfig>) {
  const record = ownRecord(node, text);
  if (record)
    return node.sees(record, o.commitment)
      ? {
          version: record.version,
          printed: { ...encodeTransaction(record, o.encoding), ...positionOf(node, record) },
        }
      : null;
  const recorded = node.recorded.get(text);
  if (!recorded) return null;
  return { version: recorded.message.version, printed: encodeRecorded(recorded, o.encoding) };
}

/**
 * `transactionIndex` of agave 4.0 and later. A recorded transaction has none, like on older nodes.
 */
function positionOf(node: ChainNode, o: { signature: string; slot: number }) {
  if (!node.tellsPositions() || node.recorded.has(o.signature)) return {};
  const at = node.chain.history.inSlot(o.slot).findIndex((one) => one.signature === o.signature);
  return at < 0 ? {} : { transactionIndex: at };
}

/** Bytes of a transaction as clients send them: base58 by default. */
export function wireBytes(text: string, form: 'base58' | 'base64' | null | undefined): Uint8Array {
  const bytes = form === 'base64' ? Buffer.from(text, 'base64') : bs58.decodeUnsafe(text);
  if (!bytes) throw invalidParams('invalid base58 encoding');
  return new Uint8Array(bytes);
}
