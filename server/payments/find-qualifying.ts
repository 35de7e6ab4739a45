import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { toDecimal, USDC_DECIMALS } from '@quittance/verify/money';
import { NodesDiffer } from '@/server/chain/node-statuses';
import { BoundedMap } from '@/server/chain/per-chain';
import { isInvented } from '@/server/chain/prove-history';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import { QUOTE_ID } from '@/server/ids';
import { standingInLedger } from './ledger/entries';
import { olderLine } from './ledger/list-from-node';
import { isOpenAt, MOST_AGE_MS, quoteIdsOf, type QuoteTerms, SLACK_MS } from './quotes';
import { type FeePayment, type PayTo, readFeePayment } from './read-fee-payment';

/** Transactions that are read at once. */
const WIDTH = 16;
/**
 * Transactions that cannot buy their quote, remembered. A final one that failed to qualify never
 * will. One that is not final yet is read once more when it is.
 */
const MOST_REMEMBERED = 100_000;
const disqualified = new BoundedMap<string, { shortfall: string | null }>(MOST_REMEMBERED);

export type Qualifying =
  /**
   * A payment that two nodes show. Otherwise one that only one node shows: a candidate, which buys
   * nothing before a second node shows it.
   */
  | { state: 'found'; signature: string; isAlone?: true }
  /** `shortfall`: why the last payment with the memo by a wallet that may pay does not count, if any. */
  | { state: 'none'; shortfall: string | null }
  /** There are more candidates than one search reads. The next search continues. */
  | { state: 'unread' };

type Wanted = {
  quote: QuoteTerms;
  /** Wallets that may pay for the quote's purchase. */
  payers: readonly string[];
  /** Those of them whose payment was refused: it must not take precedence over another wallet's. */
  refused?: readonly string[];
};

/**
 * The earliest payment with the memo of a quote that buys the quote's purchase. Dust with the memo
 * does not count, however much there is. Neither does a payment that failed, is too small or too
 * late, is in another token, or comes from a wallet that may not pay. Reads at most `mostReads`
 * transactions that were not read before. One node is enough for the history. All nodes behind
 * `rpc` are asked for a transaction, because the answer is kept.
 */
export async function findQualifying(
  service: { history: Rpc; rpc: Rpc; db: Db },
  o: Wanted & { payTo: PayTo; mostReads: number },
): Promise<Qualifying> {
  const { quote, payTo } = o;
  // An offer that is requested again lives for days, and an older payment buys nothing.
  const oldest = (await databaseNow(service.db)).getTime() - MOST_AGE_MS;
  const since = new Date(Math.max(quote.createdAt.getTime(), oldest) - SLACK_MS);
  const lines = await findByMemo(service.history, {
    account: payTo.account,
    quoteId: quote.id,
    since,
  });
  const known = lines.map((line) => disqualified.get(keyOf(quote, line)));
  const candidates = lines.filter((_, place) => known[place] === undefined);
  let shortfall = known.findLast((one) => one?.shortfall != null)?.shortfall ?? null;
  let isUnsure = false;
  let alone: string | null = null;
  for (let read = 0; read < candidates.length; read += WIDTH) {
    if (read >= o.mostReads) return candidateOr(alone, { state: 'unread' });
    const some = candidates.slice(read, read + WIDTH);
    const verdicts = await Promise.all(some.map(({ signature }) => look(service, o, signature)));
    for (const [place, line] of some.entries()) {
      const { signature } = line;
      const verdict = verdicts[place];
      if (verdict?.state === 'qualifies' && !verdict.isAlone) return { state: 'found', signature };
      // A single node may have invented it, so it hides none that two nodes show.
      if (verdict?.state === 'qualifies') alone ??= signature;
      // A history names it and no node returns it. Unless it is invented, nothing can be said about
      // this or a later one.
      if (verdict?.state === 'unknown' && !(await isInvented(service.rpc, line)))
        return candidateOr(alone, { state: 'unread' });
      // It does not exist in this slot. If a node lists it in another slot, that one is checked.
      if (verdict?.state === 'unknown') disqualified.set(keyOf(quote, line), { shortfall: null });
      if (verdict?.state === 'unsure') isUnsure = true;
      if (verdict?.state === 'may_count_later') shortfall = verdict.detail;
      if (verdict?.state !== 'never') continue;
      shortfall = verdict.detail ?? shortfall;
      disqualified.set(keyOf(quote, line), { shortfall: verdict.detail });
    }
  }
  return candidateOr(alone, isUnsure ? { state: 'unread' } : { state: 'none', shortfall });
}

/** A payment that only one node shows is a candidate if there is nothing better. */
function candidateOr(alone: string | null, otherwise: Qualifying): Qualifying {
  return alone === null ? otherwise : { state: 'found', signature: alone, isAlone: true };
}

/**
 * Why a payment does not buy the purchase of a quote, or null when it does. Does not read the
 * ledger.
 */
export function shortfallOf(wanted: Wanted, payment: FeePayment): string | null {
  const lasting = lastingShortfall(wanted, payment);
  if (lasting !== null) return lasting;
  return isOpenAt(wanted.quote, payment.blockTime) ? null : 'the offer was not open in its block';
}

/** Why a payment can never buy the purchase of a quote; an offer may still be prolonged. */
function lastingShortfall({ quote, payers }: Wanted, payment: FeePayment): string | null {
  const { amountMicros, payer } = payment;
  const named = quoteIdsOf(payment.memos);
  if (named.length !== 1 || named[0] !== quote.id) return 'it does not name this offer alone';
  if (payment.payTo !== quote.payTo) return 'it went to another wallet';
  if (!payers.includes(payer)) return `it was made by ${payer}, which may not pay for this`;
  if (amountMicros < quote.priceMicros)
    return `it pays ${toDecimal(amountMicros, USDC_DECIMALS)} USDC of ${toDecimal(quote.priceMicros, USDC_DECIMALS)} USDC`;
  return null;
}

type Verdict =
  /** `unsure`: only one node shows that it buys nothing, or two nodes differ. */
  | { state: 'qualifies'; isAlone: boolean }
  | { state: 'unknown' | 'unsure' }
  /** A change of the ledger or a longer offer may let it count later. */
  | { state: 'may_count_later'; detail: string | null }
  /**
   * Remembered once it is final. Either party could send hundreds, and each search would read them
   * again.
   */
  | { state: 'never'; detail: string | null };

async function look(
  { rpc, db }: { rpc: Rpc; db: Db },
  { quote, payers, payTo, refused = [] }: Wanted & { payTo: PayTo },
  signature: string,
): Promise<Verdict> {
  const seen = await readFeePayment({ rpc, signature, payTo }).catch((error: unknown) => {
    if (error instanceof NodesDiffer) return null;
    throw error;
  });
  if (seen === null) return { state: 'unsure' };
  if (seen.state === 'absent') return { state: 'unknown' };
  if (seen.state === 'refused') return { state: 'never', detail: null };
  const { payment } = seen;
  const why = (text: string) => `The payment ${signature} does not count: ${text}.`;
  const lasting = lastingShortfall({ quote, payers }, payment);
  const detail = shortfallOf({ quote, payers }, payment);
  // One node may show another payer, amount, memo or time than there is.
  if (seen.isAlone && detail !== null) return { state: 'unsure' };
  if (lasting !== null)
    return { state: 'never', detail: payers.includes(payment.payer) ? why(lasting) : null };
  if (detail !== null) return { state: 'may_count_later', detail: why(detail) };
  if (refused.includes(payment.payer)) return { state: 'may_count_later', detail: null };
  const spent = await spentInLedger(db, quote, payment);
  if (spent !== null && seen.isAlone) return { state: 'unsure' };
  return spent === null
    ? { state: 'qualifies', isAlone: seen.isAlone === true }
    : { state: 'may_count_later', detail: spent.detail && why(spent.detail) };
}

/**
 * Whether the records show that a payment with the memo of a quote can no longer buy it. It may
 * have bought something else, or too little is left of it after its refunds. Null when it still
 * can. The payer may see `detail`.
 */
export async function spentInLedger(
  db: Db,
  quote: Pick<QuoteTerms, 'id' | 'priceMicros'>,
  { signature, amountMicros }: Pick<FeePayment, 'signature' | 'amountMicros'>,
): Promise<{ detail: string | null } | null> {
  const [known, { refundedMicros }] = await Promise.all([
    db.payment.findUnique({ where: { signature }, select: { state: true, quoteId: true } }),
    standingInLedger(db, { signature, payer: null, slot: null }),
  ]);
  if (known?.state === 'used') return known.quoteId === quote.id ? null : { detail: null };
  if (known?.state === 'refunded' || refundedMicros >= amountMicros)
    return { detail: 'it was refunded' };
  const leftMicros = amountMicros - refundedMicros;
  if (leftMicros >= quote.priceMicros) return null;
  return { detail: `only ${toDecimal(leftMicros, USDC_DECIMALS)} USDC of it were not refunded` };
}

/** Keyed by slot as well: a node may list it in a wrong slot, and a fork may be dropped. */
function keyOf(quote: Pick<QuoteTerms, 'id'>, { signature, slot, final }: SignatureLine): string {
  return `${quote.id} ${signature} ${slot} ${final ? 'final' : 'young'}`;
}

/** One node may take this long for a history, as in a search for debits. */
const MOST_MS = 8_000;

/**
 * The transactions in the history of an account whose memo is the id of a quote, oldest first, back
 * to an instant. Failed ones are left out. Anybody can write such a memo, so each is only a
 * candidate: see `findQualifying`. The number of pages has no limit, because a stranger's thousands
 * must not hide a payment. Makes one RPC call for each 1,000 transactions. Throws RpcUnavailable
 * after `mostMs`, and for pages that lead no further back.
 */
export async function findByMemo(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  o: { account: string; quoteId: string; since: Date; mostMs?: number },
): Promise<SignatureLine[]> {
  const lines = await linesSince(rpc, o);
  return lines.filter(({ memo }) => memosOf(memo).includes(o.quoteId)).reverse();
}

/**
 * Ids of all quotes that transactions in the history of an account name, back to an instant,
 * without failed ones.
 */
export async function namedQuotes(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  o: { account: string; since: Date; mostMs?: number },
): Promise<ReadonlySet<string>> {
  return new Set((await linesSince(rpc, o)).flatMap(({ memo }) => memosOf(memo)));
}

/** The newest first. */
async function linesSince(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  { account, since, mostMs = MOST_MS }: { account: string; since: Date; mostMs?: number },
): Promise<SignatureLine[]> {
  const end = performance.now() + mostMs;
  const found: SignatureLine[] = [];
  let last: SignatureLine | undefined;
  for (;;) {
    const lines = await rpc.getSignaturesForAddress(
      account,
      last === undefined ? {} : { before: last.signature },
    );
    found.push(...lines.filter(({ failed }) => !failed));
    const oldest = lines.at(-1);
    if (!oldest || (oldest.blockTime !== null && oldest.blockTime < since)) return found;
    if (performance.now() > end)
      throw new RpcUnavailable(`The history of ${account} is too long to be read in time`);
    last = olderLine(oldest, last);
  }
}

/** The quote ids in a line's memo: `[20] QT…; [5] hello`. */
function memosOf(memo: string | null): string[] {
  return (memo ?? '')
    .split('; ')
    .map((part) => part.replace(/^\[\d+\] /, ''))
    .filter((text) => QUOTE_ID.test(text));
}
