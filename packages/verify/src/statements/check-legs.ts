import { type TransactionReading, type WalletLeg, walletLegs } from '../chain/transfer';
import { LARGEST_AMOUNT, rescale, USD_DECIMALS } from '../money';
import type { Network } from '../network';
import { isUntold } from '../receipts/check-facts';
import { notJudged, type CheckLine, type Outcome, worstOf } from '../receipts/check-line';
import { basisOf, tokenByMint } from '../tokens/token-table';
import type { StatementMetadata } from './parse-statement-metadata';
import type { StatementItem } from './statement-rows';

const ID = 'rows_whole';
const TITLE = 'Every leg of the wallet in a listed transaction is a row';
/** Legs named in a detail. */
const MOST_NAMED = 3;

type Left = { leg: WalletLeg; signature: string; outcome: Outcome; why: string };

/**
 * Whether a statement leaves out a leg of a transaction that it lists. It may leave out legs
 * without a value, and a scan may leave out legs below its least value. If that depends on a rate,
 * and no row of that day shows it, the result is unknown. No line for a statement from before legs
 * were listed.
 */
export function checkLegs(o: {
  rows: readonly StatementItem[];
  metadata: StatementMetadata;
  network: Network;
  /** The time of the table of valuations; the default is today. */
  tableOf?: Date | undefined;
  payments: ReadonlyMap<string, TransactionReading> | 'none';
}): CheckLine[] {
  const { rows, payments } = o;
  if (rows.every(({ leg }) => leg === undefined)) return [];
  if (payments === 'none') return [notJudged(ID, TITLE, 'the check on chain was turned off')];
  const bySignature = new Map<string, StatementItem[]>();
  for (const row of rows)
    bySignature.set(row.tx_signature, [...(bySignature.get(row.tx_signature) ?? []), row]);
  const left = [...bySignature].flatMap(([signature, own]): Left[] => {
    const payment = payments.get(signature);
    const found = payment && walletLegs(payment, o.metadata.wallet);
    // A transaction that was not read, or is no payment, is judged by its rows.
    if (!found || 'skipped' in found) return [];
    const stated = new Set(own.map(({ leg }) => leg));
    const missing = found.rows.filter(({ leg }) => !stated.has(leg));
    const [row] = own;
    return missing.map((leg): Left => {
      const judged = judge(leg, { ...o, day: dayOf(row) });
      // Without the calls it made, a transaction may look as if it had other legs.
      const isHidden = judged.outcome === 'failed' && isUntold(payment);
      return { leg, signature, ...judged, ...(isHidden && { outcome: 'unknown' }) };
    });
  });
  const wrong = left.filter(({ outcome }) => outcome !== 'held');
  const outcome = worstOf(wrong.map((one) => one.outcome));
  const named = wrong
    .filter((one) => one.outcome === outcome)
    .slice(0, MOST_NAMED)
    .map(({ leg, signature, why }) => `leg ${leg.leg} of ${signature} is no row: ${why}`);
  const detail =
    named.length === 0
      ? `${bySignature.size} transactions, ${left.length} legs without a value of their own left out`
      : named.join('; ');
  return [{ id: ID, title: TITLE, outcome, detail }];
}

/** Whether a leg may be left out. */
function judge(
  leg: WalletLeg,
  o: {
    rows: readonly StatementItem[];
    metadata: StatementMetadata;
    network: Network;
    tableOf?: Date | undefined;
    day: string;
  },
): Pick<Left, 'outcome' | 'why'> {
  const { leastMicros, selection } = o.metadata;
  const amount = `${leg.amount} base units of ${leg.mint ?? 'SOL'}`;
  const worth = worthOf(leg, o);
  if (worth === null) return { outcome: 'held', why: 'it has no value' };
  const least = selection === 'scan' ? (leastMicros ?? 0n) : 0n;
  if (typeof worth === 'bigint') return { outcome: worth < least ? 'held' : 'failed', why: amount };
  if (mostWorth(leg, worth) < least) return { outcome: 'held', why: amount };
  const micros = valueBeside(leg, o);
  // The rounded value of another row does not decide a value that is close to the least.
  if (micros !== null && micros * 2n < least) return { outcome: 'held', why: amount };
  if (micros !== null && micros > least * 2n + 2n) return { outcome: 'failed', why: amount };
  return { outcome: 'unknown', why: `${amount}, whose value depends on a rate` };
}

/** More dollars than a unit of SOL or of a currency was ever worth: dust stays dust at any rate. */
const MOST_WORTH = { market: 10_000n, fx: 10n };

/** More than a leg is worth at any rate, in micro-USD. */
export function mostWorth(leg: WalletLeg, basis: keyof typeof MOST_WORTH): bigint {
  return rescale(leg.amount, leg.decimals, USD_DECIMALS) * MOST_WORTH[basis];
}

/**
 * The value of a leg at par in micro-USD, or the kind of rate that its value depends on. Null for a leg without a
 * value: its token has none, or no real amount is that large. It has no row.
 */
export function worthOf(
  leg: WalletLeg,
  { network, tableOf }: { network: Network; tableOf?: Date | undefined },
): bigint | 'market' | 'fx' | null {
  const basis = basisOf(tokenByMint(leg.mint, network, tableOf)?.valuation ?? null);
  if (basis === 'none' || leg.amountSent > LARGEST_AMOUNT) return null;
  return basis === 'par' ? rescale(leg.amount, leg.decimals, USD_DECIMALS) : basis;
}

/** The rate in another row of the same token on that day; null without one. */
function valueBeside(
  leg: WalletLeg,
  { rows, day }: { rows: readonly StatementItem[]; day: string },
): bigint | null {
  const beside = rows.find(
    (row) => row.mint === leg.mint && dayOf(row) === day && row.amount_raw !== '0',
  );
  if (!beside) return null;
  return (leg.amount * BigInt(beside.usd_amount_raw)) / BigInt(beside.amount_raw);
}

function dayOf(row: StatementItem | undefined): string {
  return row?.block_time.slice(0, 10) ?? '';
}
