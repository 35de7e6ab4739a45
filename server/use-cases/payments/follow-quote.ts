import type { Quote } from '@/generated/prisma/client';
import { TOKEN } from '@quittance/verify/chain/programs';
import { windowUpTo } from '@/server/chain/absence';
import { proveHistory } from '@/server/chain/prove-history';
import { AGREEING_NODES } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { tokenAddressOf } from '@/server/chain/token-accounts';
import { judgeAttempt } from '@/server/nft/judge-attempt';
import {
  followedWaits,
  forgetAwaited,
  type PreparedQuote,
  type Wait,
} from '@/server/payments/awaited-payments';
import {
  isShortForTwo,
  findQualifying,
  shortfallOf,
  type Qualifying,
} from '@/server/payments/find-qualifying';
import { LANDING_WINDOW_BLOCKS } from '@/server/chain/landing-margin';
import { paymentNetwork } from '@/server/payments/prices';
import type { PayTo } from '@/server/payments/read-fee-payment';
import { lookForPayment } from './look-for-payment';
import { payersOf } from './purchase';
import type { Call } from '../call';

/** What became of the payment that a page prepared for a quote. */
export type Followed =
  | { state: 'paid'; signature: string }
  | { state: 'waiting'; signature: string | null }
  | {
      state: 'nothing_paid';
      reason: 'not_sent' | 'expired' | 'failed' | 'not_counted';
      detail: string | null;
    };

type Look = {
  mostReads?: number;
  /** Whose payment is asked about: what other wallets signed or prepared keeps this one waiting no longer. */
  wallet?: string;
  /** Block height until which what this wallet was given can land, by its own word. */
  landsUntil?: bigint;
};

/** Transactions with the memo that a page's look reads: more are a stranger's, and the next look goes on. */
const MOST_READS = 100;
/** How long one look reads blocks; what it has read is kept for the next. */
const READ_MS = 4_000;

/**
 * Finds the payment of a quote: by the signatures that were noted before they were sent, else as the earliest in
 * the history of the account that is paid which has its memo and qualifies. That nothing was paid is said only
 * once it is proven that nothing landed and nothing can any more: a node that knows no payment proves neither.
 */
export async function followQuote(
  call: Call,
  quote: PreparedQuote,
  o: Look = {},
): Promise<Followed> {
  const waits = followedWaits(quote, o.wallet);
  if (waits.length === 0) return unlessEarly(call, o, await followUnsent(call, quote, o));
  let last: Followed = nothingPaid(null);
  let waiting: Followed | null = null;
  for (const wait of waits) {
    const seen = await followWait(call, quote, { ...o, wait });
    if (seen.state === 'paid') return seen;
    if (seen.state === 'waiting') waiting ??= seen;
    else last = seen;
  }
  return waiting ?? unlessEarly(call, o, last);
}

function followWait(
  call: Call,
  quote: Quote,
  { wait, ...o }: Look & { wait: Wait },
): Promise<Followed> {
  const { signature: hint } = wait;
  return hint === null
    ? followByMemo(call, quote, { ...o, wait })
    : followHint(call, quote, { ...o, wait, hint });
}

/** What a wallet was given may still land, although preparations before it no longer can. */
async function unlessEarly(
  { service: { rpc } }: Call,
  { landsUntil }: Look,
  seen: Followed,
): Promise<Followed> {
  if (seen.state !== 'nothing_paid' || landsUntil === undefined) return seen;
  const { height } = await rpc.getFinalizedTip();
  return height > landsUntil ? seen : { state: 'waiting', signature: null };
}

/** Whether a payment that buys what a quote is for is on chain, or may be; what could still come does not count. */
export async function isPaidFor(call: Call, quote: Quote): Promise<boolean> {
  const found = await findByQuote(call, quote, { history: call.service.rpc });
  // What was not read to its end may hold the payment: somebody may have put other transactions before it.
  return found.state === 'found' || found.state === 'unread';
}

async function followHint(
  call: Call,
  quote: Quote,
  o: Look & { wait: Wait; hint: string },
): Promise<Followed> {
  const { db, rpc } = call.service;
  const { hint, wait } = o;
  const hinted = await lookAtHint(call, quote, hint);
  if (hinted?.state === 'paid') return hinted;
  const found = await findByQuote(call, quote, { ...o, history: rpc });
  if (found.state === 'found') return { state: 'paid', signature: found.signature };
  const waiting: Followed = { state: 'waiting', signature: hint };
  if (found.state === 'unread' || wait.landsUntil === null) return waiting;
  const attempt = { signature: hint, lastValidBlockHeight: wait.landsUntil };
  const verdict = await judgeAttempt({ rpc, attempt, windowBlocks: LANDING_WINDOW_BLOCKS });
  if (verdict.state === 'expired') {
    await forgetAwaited(db, wait);
    return nothingPaid(found.shortfall);
  }
  // What is final and does not buy, or failed, moves no money of this quote any more.
  const isOver =
    verdict.state === 'failed' ||
    (verdict.state === 'landed' && verdict.isFinal && hinted?.state === 'nothing_paid');
  if (!isOver) return waiting;
  await forgetAwaited(db, wait);
  return hinted ?? { state: 'nothing_paid', reason: 'failed', detail: 'it failed on chain' };
}

/** What the payment became whose signature was noted; null while no node knows it. */
async function lookAtHint(
  call: Call,
  quote: Quote,
  signature: string,
): Promise<Exclude<Followed, { state: 'waiting' }> | null> {
  const seen = await lookForPayment(call, signature);
  if (seen.state === 'absent') return null;
  if (seen.state === 'refused') {
    const reason = seen.code === 'payment_failed' ? 'failed' : 'not_counted';
    return { state: 'nothing_paid', reason, detail: seen.detail };
  }
  const wanted = { quote, payers: await payersOf(call, quote) };
  const detail = shortfallOf(wanted, seen.payment);
  if (detail === null) return { state: 'paid', signature };
  const payTo = await paidTo(call, quote);
  // One node may show another amount, memo or payer than there is.
  if (!(await isShortForTwo(call.service.rpc, { ...wanted, payTo, signature }))) return null;
  return { state: 'nothing_paid', reason: 'not_counted', detail };
}

/** A wallet that sends by itself may not have told the signature: only the memo finds the payment. */
async function followByMemo(call: Call, quote: Quote, o: Look & { wait: Wait }): Promise<Followed> {
  const { db, rpc } = call.service;
  const { wait } = o;
  let shortfall: string | null = null;
  let absent = 0;
  for (let node = 0; node < rpc.nodes; node += 1) {
    const seen = await lookOnNode(call, quote, { ...o, node });
    if (seen.state === 'paid') return seen;
    if (seen.state === 'open') continue;
    absent += 1;
    shortfall ??= seen.shortfall;
  }
  // Every node is asked, since each may know it. One that is silent or stands still is no obstacle to two others.
  if (absent < Math.min(AGREEING_NODES, rpc.nodes)) return { state: 'waiting', signature: null };
  await forgetAwaited(db, wait);
  return nothingPaid(shortfall);
}

type NodeLook =
  | { state: 'absent'; shortfall: string | null }
  | { state: 'open' }
  | { state: 'paid'; signature: string };

/** What one node says; where there is but one, its history is compared with its blocks. */
async function lookOnNode(
  call: Call,
  quote: Quote,
  o: Look & { wait: Wait; node: number },
): Promise<NodeLook> {
  const { rpc } = call.service;
  const { node } = o;
  const { landsUntil } = o.wait;
  try {
    const one = rpc.onNode(node);
    // Asked for first: what landed by this block is found by the look that follows.
    const tip = await one.getFinalizedTip();
    const found = await findByQuote(call, quote, { ...o, history: one });
    if (found.state === 'found') return { state: 'paid', signature: found.signature };
    if (found.state === 'unread') return { state: 'open' };
    if (landsUntil === null || tip.height <= landsUntil) return { state: 'open' };
    const { shortfall } = found;
    if (rpc.nodes > 1) return { state: 'absent', shortfall };
    const window = windowUpTo(landsUntil, LANDING_WINDOW_BLOCKS);
    const account = await paidAccount(call, quote);
    const until = performance.now() + READ_MS;
    const proof = await proveHistory({ rpc, node, account, window, tip, until });
    return proof.state === 'absent' ? { state: 'absent', shortfall } : { state: 'open' };
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'open' };
    throw error;
  }
}

/** A wallet that sends by itself may do so after its time, with a newer blockhash than it was given. */
async function followUnsent(call: Call, quote: Quote, o: Look): Promise<Followed> {
  if (quote.preparedAt !== null) {
    const late = await findByQuote(call, quote, { ...o, history: call.service.rpc });
    if (late.state === 'found') return { state: 'paid', signature: late.signature };
    if (late.state === 'unread') return { state: 'waiting', signature: null };
    if (late.shortfall !== null) return nothingPaid(late.shortfall);
  }
  return { state: 'nothing_paid', reason: 'not_sent', detail: null };
}

function nothingPaid(shortfall: string | null): Followed {
  return {
    state: 'nothing_paid',
    reason: shortfall ? 'not_counted' : 'expired',
    detail: shortfall,
  };
}

/** Where the payment of a quote goes to. */
async function paidTo(call: Call, quote: Pick<Quote, 'payTo'>): Promise<PayTo> {
  const { usdcMint: mint } = paymentNetwork(call.service.env.network);
  return { wallet: quote.payTo, account: await paidAccount(call, quote), mint };
}

/** The account that the payment of a quote goes to. */
export function paidAccount(
  { service: { env } }: Call,
  quote: Pick<Quote, 'payTo'>,
): Promise<string> {
  const { usdcMint: mint } = paymentNetwork(env.network);
  return tokenAddressOf({ wallet: quote.payTo, mint, tokenProgram: TOKEN });
}

async function findByQuote(
  call: Call,
  quote: Quote,
  { history, mostReads = MOST_READS }: Pick<Look, 'mostReads'> & { history: Rpc },
): Promise<Qualifying> {
  const { db, rpc } = call.service;
  const payers = await payersOf(call, quote);
  const payTo = await paidTo(call, quote);
  return findQualifying({ history, rpc, db }, { quote, payers, payTo, mostReads });
}
