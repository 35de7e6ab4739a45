import bs58 from 'bs58';
import { z } from 'zod';
import type { Chain } from '../chain';
import { withTransferFee } from '../fee-mint';
import { decodeWire } from '../message';
import type { VanishPlans } from '../vanish-plans';
import type { NodeGaps } from './node';
import { address, signature } from './params';
import { wireBytes } from './transaction-methods';

/** States of accounts are kept for about this long. */
const MAX_LAG_SLOTS = 300;
const MAX_BLIND_MS = 3_600_000;
const times = z.number().int().positive().nullish();

const failure = z.strictObject({
  status: z.union([z.literal(429), z.literal(500), z.literal(503)]),
  body: z.unknown().optional(),
  times,
});
const garbage = z.strictObject({
  method: z.string(),
  /** `text` is not JSON, `shape` is a JSON-RPC answer with a wrong result. */
  kind: z.enum(['text', 'shape']).default('text'),
  times,
});
const vanish = z.union([
  z.strictObject({ signature, afterSlots: times }),
  z.strictObject({ next: z.literal(true), afterSlots: times }),
  z.strictObject({ touching: address, afterSlots: times }),
]);

/**
 * Faults of one node. A method may be `*` for all. Without `times` a fault stays until it is
 * cleared.
 */
export const faultsSchema = z.strictObject({
  dropNextSends: z.number().int().nonnegative().optional(),
  vanish: vanish.optional(),
  errorRate: z.number().min(0).max(1).optional(),
  failMethods: z.record(z.string(), failure).optional(),
  garbage: garbage.optional(),
  delayMs: z.record(z.string(), z.number().int().nonnegative()).optional(),
  hideTransactions: z.number().int().min(0).max(MAX_LAG_SLOTS).optional(),
  /** Transactions that this node silently leaves out of every history. */
  shortenHistory: z.array(signature).optional(),
  /**
   * For this long, the node knows no status, transaction or history of our ledger. Slots and blocks
   * are current.
   */
  blindMs: z.number().int().nonnegative().max(MAX_BLIND_MS).optional(),
  /** For this long, `getBlock` says that blocks with transactions were skipped. */
  loseBlocksMs: z.number().int().nonnegative().max(MAX_BLIND_MS).optional(),
  /** `getBlocks` leaves out every slot with a transaction, and names the first block as before. */
  shortenBlocks: z.boolean().optional(),
  holdFinality: z.boolean().optional(),
  /** Returns slots and heights that are too high by this much, of blocks that do not exist. */
  tellsAhead: z.number().int().nonnegative().optional(),
  /** Returns no `transactionIndex`, like nodes before agave 4.0. */
  hidePositions: z.boolean().optional(),
  /** The token withholds a fee from every transfer, until it is set to 0. */
  transferFee: z
    .strictObject({ mint: address, basisPoints: z.number().int().min(0).max(10_000) })
    .optional(),
  advanceSlots: z.number().int().positive().optional(),
  setTime: z.number().int().positive().optional(),
});
export const lagSlots = z.number().int().min(0).max(MAX_LAG_SLOTS);

type Failure = z.infer<typeof failure>;
type Garbage = z.infer<typeof garbage>;
export type HttpFault = { status: number; body: string };

export type Faults = ReturnType<typeof openFaults>;

/** The faults of one node, and the number of calls of each method on it. */
export function openFaults(o: { chain: Chain; vanishing: VanishPlans; lagSlots?: number }) {
  const calls = new Map<string, number>();
  const standingLag = o.lagSlots ?? 0;
  let dropNextSends = 0;
  let errorRate = 0;
  let hidden: number | null = null;
  let failMethods = new Map<string, Failure>();
  let broken: Garbage | null = null;
  let delays = new Map<string, number>();
  let unlisted = new Set<string>();
  let blindUntil = 0;
  let loseBlocksUntil = 0;
  let shortensBlocks = false;
  const gaps: NodeGaps = {
    isBlind: () => performance.now() < blindUntil,
    losesBlocks: () => performance.now() < loseBlocksUntil,
    shortensBlocks: () => shortensBlocks,
  };
  let hidesPositions = false;
  let ahead = 0;

  return {
    isListed: (text: string) => !unlisted.has(text),
    gaps,
    lagSlots: () => hidden ?? standingLag,
    tellsPositions: () => !hidesPositions,
    aheadSlots: () => ahead,
    count(method: string): void {
      calls.set(method, (calls.get(method) ?? 0) + 1);
    },
    delayOf: (method: string) => delays.get(method) ?? delays.get('*') ?? 0,

    /** The fault, if any, that replaces the answer when these methods are called in one request. */
    takeHttpFault(methods: string[], id: unknown): HttpFault | null {
      if (errorRate > 0 && Math.random() < errorRate)
        return { status: 503, body: 'Service Unavailable' };
      for (const method of methods) {
        const name = failMethods.has(method) ? method : '*';
        const found = failMethods.get(name);
        if (found) {
          if (used(found)) failMethods.delete(name);
          return { status: found.status, body: bodyText(found) };
        }
        if (broken && (broken.method === method || broken.method === '*')) {
          const { kind } = broken;
          if (used(broken)) broken = null;
          return { status: 200, body: kind === 'text' ? '<html>gateway</html>' : senseless(id) };
        }
      }
      return null;
    },

    /** Drops a send: returns its signature, as if it had been forwarded, or null to continue. */
    takeDrop(method: string, params: unknown): string | null {
      if (method !== 'sendTransaction' || dropNextSends === 0) return null;
      const [text, config] = z.tuple([z.string()], z.unknown()).parse(params);
      const form = z.object({ encoding: z.enum(['base58', 'base64']).nullish() }).safeParse(config);
      const { signatures } = decodeWire(wireBytes(text, form.data?.encoding));
      dropNextSends -= 1;
      return bs58.encode(signatures[0] ?? new Uint8Array(64));
    },

    /** Adds faults. Throws with a sentence when one is not possible. */
    apply(faults: z.infer<typeof faultsSchema>): void {
      if (faults.vanish) {
        const { afterSlots, ...target } = faults.vanish;
        o.vanishing.plan(target, afterSlots ?? undefined);
      }
      dropNextSends = faults.dropNextSends ?? dropNextSends;
      errorRate = faults.errorRate ?? errorRate;
      hidden = faults.hideTransactions ?? hidden;
      hidesPositions = faults.hidePositions ?? hidesPositions;
      ahead = faults.tellsAhead ?? ahead;
      broken = faults.garbage ?? broken;
      for (const [method, one] of Object.entries(faults.failMethods ?? {}))
        failMethods.set(method, one);
      for (const [method, ms] of Object.entries(faults.delayMs ?? {})) delays.set(method, ms);
      unlisted = new Set([...unlisted, ...(faults.shortenHistory ?? [])]);
      if (faults.blindMs !== undefined) blindUntil = performance.now() + faults.blindMs;
      if (faults.loseBlocksMs !== undefined)
        loseBlocksUntil = performance.now() + faults.loseBlocksMs;
      shortensBlocks = faults.shortenBlocks ?? shortensBlocks;
      if (faults.holdFinality !== undefined) o.chain.holdFinality(faults.holdFinality);
      if (faults.transferFee) setTransferFee(o.chain, faults.transferFee);
      if (faults.advanceSlots) o.chain.advanceSlots(faults.advanceSlots);
      if (faults.setTime) o.chain.setTime(faults.setTime);
    },

    /** Clears faults and counters. Skipped slots and the set time stay. */
    clear(): void {
      calls.clear();
      dropNextSends = 0;
      errorRate = 0;
      hidden = null;
      hidesPositions = false;
      ahead = 0;
      broken = null;
      failMethods = new Map();
      delays = new Map();
      unlisted = new Set();
      blindUntil = 0;
      loseBlocksUntil = 0;
      shortensBlocks = false;
      o.vanishing.clear();
      o.chain.holdFinality(false);
    },

    show: () => ({
      faults: {
        dropNextSends,
        errorRate,
        failMethods: Object.fromEntries(failMethods),
        garbage: broken,
        delayMs: Object.fromEntries(delays),
        lagSlots: hidden ?? standingLag,
        shortenHistory: [...unlisted],
        isBlind: gaps.isBlind(),
        losesBlocks: gaps.losesBlocks(),
        shortensBlocks,
        hidePositions: hidesPositions,
        tellsAhead: ahead,
        vanish: o.vanishing.show(),
      },
      calls: Object.fromEntries(calls),
    }),
  };
}

function setTransferFee(chain: Chain, o: { mint: string; basisPoints: number }): void {
  const account = chain.get(o.mint);
  const data = account && withTransferFee(account.data, o.basisPoints);
  if (!data) throw new Error(`${o.mint} is not a mint that can withhold a fee`);
  chain.set(o.mint, { ...account, data });
}

/** Counts one use. True when it was the last. */
function used(fault: { times?: number | null | undefined }): boolean {
  if (typeof fault.times !== 'number') return false;
  fault.times -= 1;
  return fault.times <= 0;
}

function bodyText(found: Failure): string {
  if (found.body === undefined) return found.status === 429 ? 'Too many requests' : 'unavailable';
  return typeof found.body === 'string' ? found.body : JSON.stringify(found.body);
}

function senseless(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, result: { what: ['no', 'sense'] } });
}
