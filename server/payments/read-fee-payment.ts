import { setTimeout as sleep } from 'node:timers/promises';
import { isOf } from '@quittance/verify/chain/fetch-transaction';
import {
  normaliseTransaction,
  type NormalTransaction,
} from '@quittance/verify/chain/normalise-transaction';
import { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import { readActions } from '@quittance/verify/chain/read-actions';
import {
  RpcRefused,
  RpcUnavailable,
  UNSUPPORTED_VERSION,
} from '@quittance/verify/chain/rpc-errors';
import { isUnknown, traceOwners } from '@quittance/verify/chain/trace-owners';
import {
  AGREEING_NODES,
  NodesDiffer,
  SECOND_NODE_MS,
  twoAlike,
} from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import type { ErrorCode } from '@/server/errors';
import { networkOf } from '@/server/ip-address';
import { metrics, noteLone } from '@/server/metrics';

/** A transaction that credited USDC to the service, as the chain shows it. */
export type FeePayment = {
  signature: string;
  slot: bigint;
  blockTime: Date;
  /** Owner of the debited USDC account; often not the payer of the network fee. */
  payer: string;
  /** Wallet of ours that it went to. */
  payTo: string;
  /** The amount that arrived, in micro-USDC. */
  amountMicros: bigint;
  memos: string[];
};

export type FeeReading =
  /**
   * `isAlone`: only one of several nodes shows it. It may be a candidate, but buys nothing and is
   * not refused yet.
   */
  | { state: 'paid'; payment: FeePayment; isAlone?: true }
  | { state: 'absent' }
  | { state: 'refused'; code: ErrorCode; detail: string };

/** Where the service is paid: wallet, its USDC account and the mint. */
export type PayTo = { wallet: string; account: string; mint: string };

/**
 * The content of one answer. `unreadable` says nothing about the payment. `unsupported`: of a
 * version that this node cannot return, which contradicts no node that can.
 */
type Reading =
  FeeReading | { state: 'unreadable'; why: string } | { state: 'unsupported'; why: string };
type Wanted = { signature: string; payTo: PayTo };

/**
 * Reads what a transaction paid to the service by the change of balances. So inner instructions,
 * several transfers and sponsored transactions count alike. With several nodes each is asked. Two
 * nodes that show the same outweigh a third.
 *
 * A payment that only one node shows is `paid` with `isAlone`, as long as no other node shows
 * anything else. It is `refused` once two nodes show the same reason, or the only one does. It is
 * `absent` when no node that answers knows it as confirmed, and at least two answer, or the only
 * one. Throws RpcUnavailable when fewer answer, none can be read, or they differ.
 */
export async function readFeePayment(o: Wanted & { rpc: Rpc }): Promise<FeeReading> {
  if (o.rpc.nodes < AGREEING_NODES) return readFromOne(o);
  const seen = await readEverywhere(o);
  noteLone(o.signature, seen.state === 'paid' && seen.isAlone === true);
  return seen;
}

async function readFromOne(o: Wanted & { rpc: Rpc }): Promise<FeeReading> {
  const only = await readOnce(o.rpc, o);
  if (only.state === 'unsupported') return refused('payment_failed', only.why);
  if (only.state !== 'unreadable') return only;
  throw new RpcUnavailable(
    `The node returns ${o.signature} in a form that cannot be read: ${only.why}`,
  );
}

async function readEverywhere(o: Wanted & { rpc: Rpc }): Promise<FeeReading> {
  const { rpc } = o;
  const asked = Array.from({ length: rpc.nodes }, (_, node) => readOrSilence(rpc.onNode(node), o));
  const { alike, told, isContradicted } = await twoAlike(asked, (one) =>
    isShown(one) ? contentOf(one) : null,
  );
  if (alike !== null && isShown(alike)) return alike;
  const answered = told.filter(({ state }) => state !== 'silent');
  if (answered.length >= AGREEING_NODES && answered.every(({ state }) => state === 'absent'))
    return { state: 'absent' };
  if (isContradicted) {
    metrics().nodeDisagreements.inc({ method: 'getTransaction' });
    throw new NodesDiffer(`Nodes show the payment ${o.signature} differently`);
  }
  const first = told.find(isShown);
  if (first?.state === 'paid') return { ...first, isAlone: true };
  const unsupported = told.flatMap((one) => (one.state === 'unsupported' ? [one.why] : []));
  const [why] = unsupported;
  if (why !== undefined && unsupported.length >= AGREEING_NODES)
    return refused('payment_failed', why);
  const silence = told.find((one) => one.state === 'silent');
  throw silence?.error ?? new RpcUnavailable(`No two nodes agree on ${o.signature}`);
}

type Shown = Exclude<FeeReading, { state: 'absent' }>;

function isShown(reading: Reading | Silence): reading is Shown {
  return reading.state === 'paid' || reading.state === 'refused';
}

/** The content that two nodes must show alike: the whole payment, or the reason why it is none. */
function contentOf(reading: Shown): string {
  if (reading.state === 'refused') return reading.code;
  const { slot, blockTime, payer, payTo, amountMicros, memos } = reading.payment;
  return JSON.stringify([`${slot}`, blockTime, payer, payTo, `${amountMicros}`, memos]);
}

type Silence = { state: 'silent'; error: RpcUnavailable };

async function readOrSilence(rpc: Rpc, wanted: Wanted): Promise<Reading | Silence> {
  try {
    return await readOnce(rpc, wanted);
  } catch (error) {
    if (error instanceof RpcUnavailable) return { state: 'silent', error };
    throw error;
  }
}

async function readOnce(rpc: Rpc, { signature, payTo }: Wanted): Promise<Reading> {
  let tx: NormalTransaction | string;
  try {
    const raw = await rpc.getTransaction(signature, 'confirmed');
    if (raw === null) return { state: 'absent' };
    if (!isOf(raw, signature)) return unreadable('it is another transaction');
    tx = normaliseTransaction(raw);
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    // The one refusal that concerns the transaction: anybody can make one of such a version.
    return error.code === UNSUPPORTED_VERSION
      ? { state: 'unsupported', why: `it cannot be read: ${error.message}` }
      : unreadable(error.message);
  }
  if (typeof tx === 'string') return unreadable(tx);
  if (tx.err !== null)
    return refused('payment_failed', `it failed on chain: ${JSON.stringify(tx.err).slice(0, 200)}`);
  if (tx.blockTime === null) return unreadable('the node has no time of the block');
  if (lacksBalances(tx, payTo)) return unreadable('the node kept no token balances');
  return creditOf(tx, tx.blockTime, payTo);
}

/**
 * A node lists the balance of each token account that a transaction names together with a token
 * program, whether it moved or not.
 */
function lacksBalances({ keys, tokensBefore, tokensAfter }: NormalTransaction, payTo: PayTo) {
  if (tokensBefore.length + tokensAfter.length > 0) return false;
  return keys.includes(payTo.account) && (keys.includes(TOKEN) || keys.includes(TOKEN_2022));
}

function creditOf(tx: NormalTransaction, blockTime: Date, payTo: PayTo): FeeReading {
  const actions = readActions(tx.instructions);
  const owners = traceOwners(tx, actions);
  const ofAccount = changeOf(tx, (entry) => entry.account === payTo.account);
  if (ofAccount <= 0n) {
    const other = tx.tokensAfter.some(
      (entry) => entry.owner === payTo.wallet && entry.mint !== payTo.mint,
    );
    return other
      ? refused('payment_wrong_token', `it pays ${payTo.wallet} in another token`)
      : refused('payment_not_to_us', `it credits nothing to ${payTo.account}`);
  }
  const net = new Map<string, bigint>();
  const add = (owner: string, amount: bigint) => net.set(owner, (net.get(owner) ?? 0n) + amount);
  for (const entry of tx.tokensBefore)
    if (entry.mint === payTo.mint) add(entry.owner ?? owners.before(entry.account), -entry.amount);
  for (const entry of tx.tokensAfter)
    if (entry.mint === payTo.mint) add(entry.owner ?? owners.after(entry.account), entry.amount);
  const debited = [...net].filter(([, amount]) => amount < 0n).map(([owner]) => owner);
  const [payer] = debited;
  if (payer === undefined || debited.length > 1 || isUnknown(payer))
    return refused('payment_several_payers', 'it does not show one single wallet that paid');
  return {
    state: 'paid',
    payment: {
      signature: tx.signature,
      slot: tx.slot,
      blockTime,
      payer,
      payTo: payTo.wallet,
      amountMicros: ofAccount,
      memos: actions.flatMap((action) => (action.kind === 'memo' ? [action.text.trim()] : [])),
    },
  };
}

function changeOf(
  tx: NormalTransaction,
  counts: (entry: NormalTransaction['tokensBefore'][number]) => boolean,
): bigint {
  const sum = (entries: NormalTransaction['tokensBefore']) =>
    entries.filter(counts).reduce((total, { amount }) => total + amount, 0n);
  return sum(tx.tokensAfter) - sum(tx.tokensBefore);
}

function refused(code: ErrorCode, detail: string): FeeReading {
  return { state: 'refused', code, detail };
}

function unreadable(why: string): Reading {
  return { state: 'unreadable', why };
}

/** How long a payment that no node knows is looked for, and how often. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 1_000;
/**
 * Simultaneous waits of one client address, and of all in this process: each costs a node ten
 * polls.
 */
const MOST_WAITS_OF_CLIENT = 2;
const MOST_WAITS = 50;

const waits = new Map<string, number>();

/**
 * Looks for a payment until it is there or 10 s are over; 4 s once only one node shows it. A client with two such
 * waits already, or any client of a process with too many, gets one poll.
 */
export async function awaitFeePayment(o: {
  /** Client address; those of one IPv6 network count as one, and clients without one share it. */
  client: string;
  look: () => Promise<FeeReading>;
}): Promise<FeeReading> {
  const client = networkOf(o.client);
  // From before the first poll, which a node may delay.
  let end = performance.now() + PATIENCE_MS;
  let seen = await o.look();
  if (isDecided(seen) || !enter(client)) return seen;
  try {
    for (;;) {
      // The wait begins when one node first shows it. A later poll does not extend it.
      if (seen.state === 'paid') end = Math.min(end, performance.now() + SECOND_NODE_MS);
      if (performance.now() + PAUSE_MS > end) return seen;
      await sleep(PAUSE_MS);
      seen = await o.look();
      if (isDecided(seen)) return seen;
    }
  } finally {
    leave(client);
  }
}

function isDecided(reading: FeeReading): boolean {
  return reading.state === 'refused' || (reading.state === 'paid' && !reading.isAlone);
}

function enter(client: string): boolean {
  const own = waits.get(client) ?? 0;
  const all = [...waits.values()].reduce((sum, count) => sum + count, 0);
  if (own >= MOST_WAITS_OF_CLIENT || all >= MOST_WAITS) return false;
  waits.set(client, own + 1);
  return true;
}

function leave(client: string): void {
  const left = (waits.get(client) ?? 1) - 1;
  if (left > 0) waits.set(client, left);
  else waits.delete(client);
}
