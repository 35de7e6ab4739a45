import type { Quote } from '@/generated/prisma/client';
import { TOKEN } from '@/server/chain/programs';
import { BLOCKHASH_LIFE_BLOCKS, windowUpTo } from '@/server/chain/prove-absence';
import { proveHistory } from '@/server/chain/prove-history';
import type { Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@/server/chain/rpc-errors';
import { tokenAddressOf } from '@/server/chain/token-address';
import { judgeAttempt } from '@/server/nft/judge-attempt';
import { findByMemo } from '@/server/payments/find-by-memo';
import { paymentNetwork } from '@/server/payments/payment-network';
import { forgetSent } from '@/server/payments/prepared-quotes';
import type { RequestContext } from '../request-context';
import { lookForPayment } from './look-for-payment';

/** What became of the payment that a page prepared for a quote. */
export type Followed =
  | { state: 'paid'; signature: string }
  | { state: 'waiting'; signature: string | null }
  | {
      state: 'nothing_paid';
      reason: 'not_sent' | 'expired' | 'failed';
      detail: string | null;
    };

/** A page may have signed it with a blockhash that was nearly over when the last valid height was noted. */
const HINT_WINDOW_BLOCKS = 2n * BLOCKHASH_LIFE_BLOCKS;
/** How long one look reads blocks; what it has read is kept for the next. */
const READ_MS = 4_000;

/**
 * Finds the payment of a quote: by the signature that was noted before it was sent, else by its memo in the
 * history of the account that is paid. That nothing was paid is said only once it is proven that nothing landed
 * and nothing can any more: a node that knows no payment proves neither.
 */
export async function followQuote(ctx: RequestContext, quote: Quote): Promise<Followed> {
  if (!quote.mayBeSent) return followUnsent(ctx, quote);
  return quote.paymentHint === null
    ? followByMemo(ctx, quote)
    : followHint(ctx, quote, quote.paymentHint);
}

async function followHint(ctx: RequestContext, quote: Quote, hint: string): Promise<Followed> {
  const { db, rpc } = ctx.service;
  const seen = await lookForPayment(ctx, hint);
  if (seen.state === 'paid') return { state: 'paid', signature: hint };
  const other = await findByQuote(ctx, quote, rpc);
  if (other !== null) return { state: 'paid', signature: other };
  if (quote.landsUntil === null) return { state: 'waiting', signature: hint };
  const attempt = { signature: hint, lastValidBlockHeight: quote.landsUntil };
  const verdict = await judgeAttempt({ rpc, attempt, windowBlocks: HINT_WINDOW_BLOCKS });
  if (verdict.state === 'expired') {
    await forgetSent(db, quote);
    return { state: 'nothing_paid', reason: 'expired', detail: null };
  }
  // What is final and pays us nothing, or failed, moves no money of this quote any more.
  const isOver =
    verdict.state === 'failed' ||
    (verdict.state === 'landed' && verdict.isFinal && seen.state === 'refused');
  if (!isOver) return { state: 'waiting', signature: hint };
  await forgetSent(db, quote);
  const detail = seen.state === 'refused' ? seen.detail : 'it failed on chain';
  return { state: 'nothing_paid', reason: 'failed', detail };
}

/** A wallet that sends by itself may not have told the signature: only the memo finds the payment. */
async function followByMemo(ctx: RequestContext, quote: Quote): Promise<Followed> {
  const { db, rpc } = ctx.service;
  for (let node = 0; node < rpc.nodes; node += 1) {
    const seen = await lookOnNode(ctx, quote, node);
    if (seen === 'absent') continue;
    return seen === 'open' ? { state: 'waiting', signature: null } : seen;
  }
  await forgetSent(db, quote);
  return { state: 'nothing_paid', reason: 'expired', detail: null };
}

/** What one node says; where there is but one, its history is compared with its blocks. */
async function lookOnNode(
  ctx: RequestContext,
  quote: Quote,
  node: number,
): Promise<'absent' | 'open' | { state: 'paid'; signature: string }> {
  const { rpc } = ctx.service;
  try {
    const one = rpc.onNode(node);
    // Asked for first: what landed by this block is found by the look that follows.
    const tip = await one.getFinalizedTip();
    const signature = await findByQuote(ctx, quote, one);
    if (signature !== null) return { state: 'paid', signature };
    if (quote.landsUntil === null || tip.height <= quote.landsUntil) return 'open';
    if (rpc.nodes > 1) return 'absent';
    const window = windowUpTo(quote.landsUntil);
    const account = await paidAccount(ctx, quote);
    const until = performance.now() + READ_MS;
    const proof = await proveHistory({ rpc, node, account, window, tip, until });
    return proof.state === 'absent' ? 'absent' : 'open';
  } catch (error) {
    if (error instanceof RpcUnavailable) return 'open';
    throw error;
  }
}

/** A wallet that sends by itself may do so after its time, with a newer blockhash than it was given. */
async function followUnsent(ctx: RequestContext, quote: Quote): Promise<Followed> {
  const late = quote.preparedAt === null ? null : await findByQuote(ctx, quote, ctx.service.rpc);
  if (late !== null) return { state: 'paid', signature: late };
  return { state: 'nothing_paid', reason: 'not_sent', detail: null };
}

function paidAccount({ service: { env } }: RequestContext, quote: Quote): Promise<string> {
  const { usdcMint: mint } = paymentNetwork(env.network);
  return tokenAddressOf({ wallet: quote.payTo, mint, tokenProgram: TOKEN });
}

async function findByQuote(
  ctx: RequestContext,
  quote: Quote,
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
): Promise<string | null> {
  const found = await findByMemo(rpc, {
    account: await paidAccount(ctx, quote),
    quoteIds: [quote.id],
    since: new Date(quote.createdAt.getTime() - CLOCK_SLACK_MS),
  });
  return found.get(quote.id) ?? null;
}

/** Block times may be off by so much. */
const CLOCK_SLACK_MS = 120_000;
