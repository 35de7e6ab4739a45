import { TOKEN } from '@quittance/verify/chain/programs';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { Quote } from '@/generated/prisma/client';
import { staleReason, windowUpTo } from '@/server/chain/absence';
import { LANDING_WINDOW_BLOCKS } from '@/server/chain/landing-margin';
import { askEach, nodesNeeded } from '@/server/chain/node-statuses';
import { proveHistory } from '@/server/chain/prove-history';
import type { Rpc } from '@/server/chain/rpc';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import { findQualifying, namedQuotes, type Qualifying } from '@/server/payments/find-qualifying';
import { paymentNetwork } from '@/server/payments/prices';
import type { PayTo } from '@/server/payments/read-fee-payment';
import { payersOf } from './purchase';
import type { Call } from '../call';

/** Transactions with the memo that one poll of a page reads. More are a stranger's, and the next poll continues. */
const MOST_READS = 100;
/** How long one poll reads blocks. Blocks that were read are kept for the next. */
const READ_MS = 4_000;

/** The joint answer of the histories of all nodes about the payment of a quote. */
export type NodesLook =
  /** `isAlone`: only one node shows it, so it may be invented. */
  | { state: 'paid'; signature: string; isAlone?: true }
  /** Two nodes (or the only one) have read all of it: nothing qualifies. `shortfall`: the nearest miss. */
  | { state: 'absent'; shortfall: string | null }
  /** Nothing may be concluded: poll again. */
  | { state: 'open' };

type Wanted = {
  /**
   * Block height until which the payment can land: a node that has not passed it proves nothing. Null when nobody
   * knows it; left out when nothing is awaited.
   */
  landsUntil?: bigint | null | undefined;
  mostReads?: number;
  /** Owner of the payment. */
  wallet?: string;
};
type Tip = { slot: bigint; height: bigint };
type NodeLook = NodesLook & { tip: Tip | null };

/**
 * Searches the history of each node for the payment of a quote, because any of them may know it. One that is silent,
 * stands still or hides it does not stop the others, and its word alone proves nothing.
 */
export async function lookOnNodes(call: Call, quote: Quote, o: Wanted): Promise<NodesLook> {
  const { rpc } = call.service;
  const looks = await Promise.all(
    Array.from({ length: rpc.nodes }, (_, node) => lookOnNode(call, quote, { ...o, node })),
  );
  const paid = looks.filter((look) => look.state === 'paid');
  // One that a node invents must not come before one that two show.
  const best = paid.find(({ isAlone }) => !isAlone) ?? paid[0];
  if (best) {
    const { signature, isAlone } = best;
    return isAlone ? { state: 'paid', signature, isAlone } : { state: 'paid', signature };
  }
  const absent = looks.filter((look) => look.state === 'absent');
  const current = keepingUp(absent, looks);
  if (current.length < nodesNeeded(rpc.nodes)) return { state: 'open' };
  const shortfall = current.find((look) => look.shortfall !== null)?.shortfall ?? null;
  return { state: 'absent', shortfall };
}

/** The answer of one node. If there is only one, its history is compared with its blocks. */
async function lookOnNode(
  call: Call,
  quote: Quote,
  { node, landsUntil, mostReads = MOST_READS, wallet }: Wanted & { node: number },
): Promise<NodeLook> {
  const { rpc } = call.service;
  try {
    const one = rpc.onNode(node);
    // Asked for first: the search that follows finds every payment that landed by this block.
    const tip = await one.getFinalizedTip();
    const found = await findByQuote(call, quote, { mostReads, wallet, history: one });
    if (found.state === 'found') return { ...found, state: 'paid', tip };
    if (found.state === 'unread' || landsUntil === null) return { state: 'open', tip };
    const absent: NodeLook = { state: 'absent', shortfall: found.shortfall, tip };
    if (landsUntil === undefined) return absent;
    if (tip.height <= landsUntil) return { state: 'open', tip };
    if (rpc.nodes > 1) return absent;
    const window = windowUpTo(landsUntil, LANDING_WINDOW_BLOCKS);
    const account = await paidAccount(call, quote);
    const until = performance.now() + READ_MS;
    const proof = await proveHistory({ rpc, node, account, window, tip, until });
    return proof.state === 'absent' ? absent : { state: 'open', tip };
  } catch (error) {
    if (isNodeSilence(error)) return { state: 'open', tip: null };
    throw error;
  }
}

/** The memos of quotes that any node lists, and whether enough nodes listed everything. */
export async function namedOnNodes(
  rpc: Rpc,
  o: { account: string; since: Date },
): Promise<{ named: ReadonlySet<string>; isProven: boolean }> {
  const lists = await Promise.all(
    askEach(rpc, async (one) => {
      const tip = await one.getFinalizedTip();
      return { tip, named: await namedQuotes(one, o) };
    }),
  );
  const told = lists.filter((list) => list !== null);
  return {
    named: new Set(told.flatMap(({ named }) => [...named])),
    isProven: keepingUp(told, told).length >= nodesNeeded(rpc.nodes),
  };
}

/** Answers of nodes that do not stand still, judged by the final blocks of all that answered. */
function keepingUp<T extends { tip: Tip | null }>(
  some: readonly T[],
  all: readonly { tip: Tip | null }[],
): T[] {
  const heights = all.flatMap(({ tip }) => (tip === null ? [] : [tip.height]));
  return some.filter(
    ({ tip }) => tip !== null && staleReason({ height: tip.height, heights }) === null,
  );
}

/** Where the payment of a quote goes to. */
export async function paidTo(
  { service: { env } }: Call,
  { payTo: wallet }: Pick<Quote, 'payTo'>,
): Promise<PayTo> {
  const { usdcMint: mint } = paymentNetwork(env.network);
  return { wallet, account: await tokenAddressOf({ wallet, mint, tokenProgram: TOKEN }), mint };
}

/** The account that the payment of a quote goes to. */
export async function paidAccount(call: Call, quote: Pick<Quote, 'payTo'>): Promise<string> {
  return (await paidTo(call, quote)).account;
}

async function findByQuote(
  call: Call,
  quote: Quote,
  { history, mostReads, wallet }: { history: Rpc; mostReads: number; wallet: string | undefined },
): Promise<Qualifying> {
  const { db, rpc } = call.service;
  const payers = await payersOf(call, quote);
  const payTo = await paidTo(call, quote);
  // The refused wallet itself is shown its own payment.
  const refused = quote.closedFor.filter((one) => one !== wallet);
  return findQualifying({ history, rpc, db }, { quote, payers, refused, payTo, mostReads });
}
