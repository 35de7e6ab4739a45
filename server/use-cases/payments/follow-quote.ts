import type { Quote } from '@/generated/prisma/client';
import { LANDING_WINDOW_BLOCKS } from '@/server/chain/landing-margin';
import { judgeAttempt } from '@/server/nft/judge-attempt';
import {
  followedWaits,
  forgetAwaited,
  type PreparedQuote,
  type Wait,
} from '@/server/payments/awaited-payments';
import { shortfallOf, spentInLedger } from '@/server/payments/find-qualifying';
import { lookForPayment } from './look-for-payment';
import { lookOnNodes } from './look-on-nodes';
import { payersOf } from './purchase';
import type { Call } from '../call';

/** The state of the payment that a page prepared for a quote. */
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
  /**
   * Owner of the payment. Payments that other wallets signed or prepared do not make this one wait
   * longer.
   */
  wallet?: string;
  /**
   * Block height until which the transaction that this wallet got can land, by the wallet's own
   * report.
   */
  landsUntil?: bigint;
};

/**
 * Finds the payment of a quote by the signatures that were noted before they were sent. Without one
 * it takes the earliest in the history of the paid account that has its memo and qualifies. It
 * reports that nothing was paid only once it is proven that nothing landed and nothing can land any
 * more. A node that knows no payment proves neither.
 */
export async function followQuote(
  call: Call,
  quote: PreparedQuote,
  o: Look = {},
): Promise<Followed> {
  const waits = followedWaits(quote, o.wallet);
  if (waits.length === 0) return followUnsent(call, quote, o);
  let last: Followed = nothingPaid(null);
  let waiting: Followed | null = null;
  for (const wait of waits) {
    const seen = await followWait(call, quote, { ...o, wait });
    if (seen.state === 'paid') return seen;
    if (seen.state === 'waiting') waiting ??= seen;
    else last = seen;
  }
  return waiting ?? unlessEarly(call, quote, { ...o, waits, last });
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

/** The transaction that a wallet got may still land, although earlier ones no longer can. */
async function unlessEarly(
  call: Call,
  quote: Quote,
  { waits, last, landsUntil, ...o }: Look & { waits: readonly Wait[]; last: Followed },
): Promise<Followed> {
  if (landsUntil === undefined) return last;
  const isCovered = waits.some((wait) => wait.landsUntil !== null && wait.landsUntil >= landsUntil);
  if (isCovered) return last;
  const seen = await lookOnNodes(call, quote, { ...o, landsUntil });
  if (seen.state === 'paid') return seen;
  return seen.state === 'absent' ? last : { state: 'waiting', signature: null };
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
  const waiting: Followed = { state: 'waiting', signature: hint };
  if (wait.landsUntil === null) return waiting;
  const attempt = { signature: hint, lastValidBlockHeight: wait.landsUntil };
  const verdict = await judgeAttempt({ rpc, attempt, windowBlocks: LANDING_WINDOW_BLOCKS });
  // The wallet may have signed another one with the memo. This search is last, so it finds one that landed by now.
  const seen = await lookOnNodes(call, quote, { ...o, landsUntil: undefined });
  if (seen.state === 'paid') return seen;
  if (seen.state === 'open') return waiting;
  if (verdict.state === 'expired') {
    await forgetAwaited(db, wait);
    return nothingPaid(seen.shortfall);
  }
  // One that is final and buys nothing, or that failed, no longer moves money of this quote.
  const isOver =
    verdict.state === 'failed' ||
    (verdict.state === 'landed' && verdict.isFinal && hinted?.state === 'nothing_paid');
  if (!isOver) return waiting;
  await forgetAwaited(db, wait);
  return hinted ?? { state: 'nothing_paid', reason: 'failed', detail: 'it failed on chain' };
}

/**
 * The state of the payment with the noted signature. Null while no node knows it, or only one does.
 */
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
  // A single node may invent it, or show a wrong amount, memo or payer. The search by memo finds a real one.
  if (seen.isAlone) return null;
  const wanted = { quote, payers: await payersOf(call, quote) };
  const detail = shortfallOf(wanted, seen.payment);
  const spent = await spentInLedger(call.service.db, quote, seen.payment);
  if (detail === null && spent === null) return { state: 'paid', signature };
  if (detail === null) {
    const why = spent?.detail ?? 'it has bought something else';
    return { state: 'nothing_paid', reason: 'not_counted', detail: why };
  }
  return { state: 'nothing_paid', reason: 'not_counted', detail };
}

/** A wallet that sends its transactions may not return the signature. Only the memo then finds the payment. */
async function followByMemo(call: Call, quote: Quote, o: Look & { wait: Wait }): Promise<Followed> {
  const { wait, ...look } = o;
  const seen = await lookOnNodes(call, quote, { ...look, landsUntil: wait.landsUntil });
  if (seen.state === 'paid') return seen;
  if (seen.state === 'open') return { state: 'waiting', signature: null };
  await forgetAwaited(call.service.db, wait);
  return nothingPaid(seen.shortfall);
}

/** A wallet that sends its transactions may do so late, with a newer blockhash than it was given. */
async function followUnsent(call: Call, quote: Quote, o: Look): Promise<Followed> {
  const nothing: Followed = { state: 'nothing_paid', reason: 'not_sent', detail: null };
  if (quote.preparedAt === null) return nothing;
  const late = await lookOnNodes(call, quote, o);
  if (late.state === 'paid') return late;
  if (late.state === 'open') return { state: 'waiting', signature: null };
  return late.shortfall === null ? nothing : nothingPaid(late.shortfall);
}

function nothingPaid(shortfall: string | null): Followed {
  return {
    state: 'nothing_paid',
    reason: shortfall ? 'not_counted' : 'expired',
    detail: shortfall,
  };
}
