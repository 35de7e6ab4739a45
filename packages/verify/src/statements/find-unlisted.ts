import type { SignatureLine } from '../chain/rpc-schemas';
import { isNodeSilence } from '../chain/rpc-errors';
import { type TransactionReading, type WalletLeg, walletLegs } from '../chain/transfer';
import { listWalletAccounts } from '../chain/wallet-accounts';
import type { Network } from '../network';
import { byEitherTable, readByTable } from '../receipts/by-either-table';
import { isUntold } from '../receipts/check-facts';
import { attempt, notJudged, type CheckLine } from '../receipts/check-line';
import type { Places } from '../receipts/look-up-proof';
import { listTokens } from '../tokens/token-table';
import { itemData } from '../storage/verify-item';
import { mostWorth, worthOf } from './check-legs';
import { lookUpRows } from './look-up-rows';
import { parseStatementMetadata, type StatementMetadata } from './parse-statement-metadata';
import type { StatementProof } from './statement-proof';

const ID = 'period_complete';
const TITLE = 'No payment of the wallet in the period is missing';
/** The most transactions of a period that are read, the same as in the service. */
const MOST_READ = 20_000;
/** Transactions named in a detail. */
const MOST_NAMED = 5;
/** A scan that is made soon after its period ends may miss its last payments: they were not final yet. */
const SLACK_MS = 2 * 60 * 1000;
const SOON_MS = 24 * 60 * 60 * 1000;

type Scanned = {
  metadata: StatementMetadata;
  listed: ReadonlySet<string>;
  mintedAt: Date | null;
} & Pick<Places, 'rpc' | 'network'>;
/**
 * The kind of a transaction that is not listed: a payment that a scan must list, no payment, or
 * undecided, and why.
 */
type Kind = 'payment' | 'none' | keyof typeof UNKNOWN;
/** Why it is undecided whether a payment is missing in a scan. */
const UNKNOWN = {
  late: 'made in the last 2 minutes of a period that ended when the scan was made, and perhaps not final then',
  unpriced: 'whose kind or value depends on a price',
  untold: 'about which the node gives too little data',
} as const;
type Found = {
  /** Transactions of the period that the histories have. */
  looked: number;
  /** Those of them that are not listed. */
  others: Record<Kind, string[]>;
  /** Listed transactions that no history has. */
  absent: string[];
};

/**
 * Scans the wallet of a statement and its token accounts for the period, and names the payments that are not listed.
 * Of a scan they are missing; a list may leave payments out. A node that does not show the listed payments may not
 * show others either.
 */
export async function checkComplete({
  document,
  ...more
}: { document: StatementProof; mintedAt: Date | null } & Pick<
  Places,
  'rpc' | 'network'
>): Promise<CheckLine> {
  const file = attempt(() => itemData(Buffer.from(document.metadata.item, 'base64')));
  const reading = file && parseStatementMetadata(file);
  if (!reading?.ok) return notJudged(ID, TITLE, 'the metadata cannot be read');
  if (!document.transactions) return notJudged(ID, TITLE, 'the proof came without its rows');
  const { metadata } = reading;
  if (metadata.selection === 'scan' && !metadata.period)
    return notJudged(
      ID,
      TITLE,
      'its template names neither the exact times of the period nor the least value',
    );
  const listed = new Set(document.transactions.map((row) => row.tx_signature));
  return lookForOthers({ metadata, listed, ...more });
}

async function lookForOthers(o: Scanned): Promise<CheckLine> {
  try {
    const lines = await scan(o);
    if (lines.length > MOST_READ)
      return notJudged(
        ID,
        TITLE,
        `the period has ${lines.length} transactions, more than are read`,
      );
    const unlisted = lines.filter(({ signature }) => !o.listed.has(signature));
    const payments = await lookUpRows(
      unlisted.map(({ signature, slot }) => ({ tx_signature: signature, slot: Number(slot) })),
      o,
    );
    const shown = new Set(lines.map(({ signature }) => signature));
    const absent = [...o.listed].filter((signature) => !shown.has(signature));
    const { issuedAt } = o.metadata;
    // One table for the whole scan: no service searched part of a wallet by one and part by another.
    const [line] = byEitherTable({ ...o, issuedAt }, (tableOf) => {
      const others: Found['others'] = {
        payment: [],
        none: [],
        late: [],
        unpriced: [],
        untold: [],
      };
      for (const one of unlisted)
        others[kindOf(one, payments.get(one.signature), { ...o, tableOf })].push(one.signature);
      return [judge(o, { looked: lines.length, others, absent })];
    });
    return line ?? notJudged(ID, TITLE, 'no table was read');
  } catch (error) {
    if (isNodeSilence(error)) return notJudged(ID, TITLE, error.message);
    throw error;
  }
}

function judge({ metadata }: Scanned, { looked, others, absent }: Found): CheckLine {
  const { payment } = others;
  const line = { id: ID, title: TITLE };
  const isScan = metadata.selection === 'scan';
  const isMissing = payment.length > 0 && isScan;
  if (isMissing && metadata.isSearched)
    return { ...line, outcome: 'failed', detail: `missing ${named(payment)}` };
  const why = [
    ...(isMissing
      ? [`not all accounts were searched, and these are missing, ${named(payment)}`]
      : []),
    ...(isScan ? untoldOf(others) : []),
    ...(absent.length > 0 ? [`the histories of the node lack listed ones, ${named(absent)}`] : []),
  ];
  if (why.length > 0) return notJudged(ID, TITLE, why.join('; '));
  const all = `${looked} transactions of the period in the histories that the node keeps`;
  const left = isScan ? [] : [...payment, ...others.late, ...others.unpriced, ...others.untold];
  const beside = left.length === 0 ? '' : `; a list need not name ${named(left)}`;
  return { ...line, outcome: 'held', detail: `${all}${beside}` };
}

/** Payments that a scan may lack, each kind with its reason. */
function untoldOf(others: Found['others']): string[] {
  return (['late', 'unpriced', 'untold'] as const).flatMap((kind) =>
    others[kind].length === 0
      ? []
      : [`a scan may lack one ${UNKNOWN[kind]}, ${named(others[kind])}`],
  );
}

function named(list: readonly string[]): string {
  const more = list.length > MOST_NAMED ? ', …' : '';
  return `${list.length}: ${list.slice(0, MOST_NAMED).join(', ')}${more}`;
}

/** Successful transactions of the period, each once. */
async function scan({ rpc, network, metadata }: Scanned): Promise<SignatureLine[]> {
  const mints = listTokens(network).flatMap(({ mint, valuation }) =>
    mint === null || valuation === null ? [] : [mint],
  );
  const accounts = await listWalletAccounts(rpc, {
    wallet: metadata.wallet,
    mints: new Set(mints),
  });
  const period = periodOf(metadata);
  const found = new Map<string, SignatureLine>();
  for (const account of accounts)
    for (let before: string | undefined; ;) {
      const page = await rpc.getSignaturesForAddress(
        account,
        before === undefined ? {} : { before },
      );
      for (const one of page)
        if (!one.failed && isWithin(one.blockTime, period)) found.set(one.signature, one);
      const oldest = page.at(-1);
      if (!oldest || (oldest.blockTime && oldest.blockTime < period.from)) break;
      if (found.size > MOST_READ) return [...found.values()];
      before = oldest.signature;
    }
  return [...found.values()];
}

/** Of a list: from its first day to its last. */
function periodOf({ period, firstDay, lastDay }: StatementMetadata): { from: Date; until: Date } {
  if (period) return period;
  const until = new Date(`${lastDay}T00:00:00Z`);
  until.setUTCDate(until.getUTCDate() + 1);
  return { from: new Date(`${firstDay}T00:00:00Z`), until };
}

/** One without a time may be of the period. */
function isWithin(time: Date | null, { from, until }: { from: Date; until: Date }): boolean {
  return time === null || (time >= from && time < until);
}

function kindOf(
  line: SignatureLine,
  read: TransactionReading | undefined,
  o: { metadata: StatementMetadata; network: Network; tableOf: Date | undefined },
): Kind {
  if (!read || isUntold(read)) return 'untold';
  const { metadata } = o;
  const payment = readByTable(read, o);
  const found = walletLegs(payment, metadata.wallet);
  if ('skipped' in found) return 'none';
  const time = line.blockTime ?? payment.movements?.blockTime ?? null;
  if (!isWithin(time, periodOf(metadata))) return 'none';
  const least = metadata.leastMicros ?? 0n;
  const kinds = found.rows.map((leg) => kindOfLeg(leg, { ...o, least }));
  if (!kinds.includes('payment')) return kinds.includes('unpriced') ? 'unpriced' : 'none';
  // Without prices a swap looks like a payment of its fee.
  const isUnpriced = !payment.ok && payment.code === 'price_needed';
  if (isUnpriced) return 'unpriced';
  return isTooLate(time, metadata) ? 'late' : 'payment';
}

/** Whether a payment may not have been final yet when the scan was made. */
function isTooLate(time: Date | null, { period, issuedAt }: StatementMetadata): boolean {
  if (!period || time === null) return false;
  const until = period.until.getTime();
  return issuedAt.getTime() - until < SOON_MS && time.getTime() >= until - SLACK_MS;
}

function kindOfLeg(
  leg: WalletLeg,
  o: { network: Network; tableOf: Date | undefined; least: bigint },
): Kind {
  const { least } = o;
  const worth = worthOf(leg, o);
  if (worth === null) return 'none';
  if (typeof worth === 'bigint') return worth < least ? 'none' : 'payment';
  // Its value depends on the rate of its day, which may not have been published either.
  return mostWorth(leg, worth) < least ? 'none' : 'unpriced';
}
