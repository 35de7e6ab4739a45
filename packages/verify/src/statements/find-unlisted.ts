import type { SignatureLine } from '../chain/rpc-schemas';
import { isNodeSilence } from '../chain/rpc-errors';
import { walletLegs } from '../chain/transfer';
import { listWalletAccounts } from '../chain/wallet-accounts';
import { rescale, USD_DECIMALS } from '../money';
import { isUntold } from '../receipts/check-facts';
import { attempt, notJudged, type CheckLine } from '../receipts/check-line';
import { type Places, readPayment } from '../receipts/look-up-proof';
import { listTokens, tokenByMint } from '../tokens/token-table';
import { itemData } from '../storage/verify-item';
import { parseStatementMetadata, type StatementMetadata } from './parse-statement-metadata';
import type { StatementProof } from './statement-proof';

const ID = 'period_complete';
const TITLE = 'The wallet has no other payment of the period that belongs into it';
/** Transactions of a period that are read at most, as the service does. */
const MOST_READ = 20_000;
/** More dollars than a unit of SOL or of a currency was ever worth: dust stays dust at any rate. */
const MOST_WORTH = { market: 10_000n, fx: 10n };
/** Transactions named in a detail. */
const MOST_NAMED = 5;

type Scanned = { metadata: StatementMetadata; listed: ReadonlySet<string> } & Pick<
  Places,
  'rpc' | 'network'
>;
/** What a transaction that is not listed is: a payment that belongs into a scan, none, or not to be told. */
type Kind = 'payment' | 'none' | 'unknown';

/**
 * Scans the wallet of a statement and its token accounts for the period, and names the payments that are not listed.
 * Of a scan they are missing; a list names what it likes. A node with a shorter history shows less.
 */
export async function checkComplete({
  document,
  ...places
}: { document: StatementProof } & Pick<Places, 'rpc' | 'network'>): Promise<CheckLine> {
  const file = attempt(() => itemData(Buffer.from(document.metadata.item, 'base64')));
  const reading = file && parseStatementMetadata(file);
  if (!reading?.ok) return notJudged(ID, TITLE, 'the metadata cannot be read');
  if (!document.transactions) return notJudged(ID, TITLE, 'the proof came without its rows');
  const listed = new Set(document.transactions.map((row) => row.tx_signature));
  return lookForOthers({ metadata: reading.metadata, listed, ...places });
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
    const found: Record<Kind, string[]> = { payment: [], none: [], unknown: [] };
    for (const { signature } of lines)
      if (!o.listed.has(signature)) found[await kindOf(signature, o)].push(signature);
    return judge(o, { looked: lines.length, found });
  } catch (error) {
    if (isNodeSilence(error)) return notJudged(ID, TITLE, error.message);
    throw error;
  }
}

function judge(
  { metadata }: Scanned,
  { looked, found }: { looked: number; found: Record<Kind, string[]> },
): CheckLine {
  const named = (list: readonly string[]) =>
    `${list.length}: ${list.slice(0, MOST_NAMED).join(', ')}${list.length > MOST_NAMED ? ', …' : ''}`;
  const all = `${looked} transactions of the period in the histories that the node keeps`;
  const line = { id: ID, title: TITLE };
  if (found.payment.length > 0 && metadata.selection === 'scan')
    return { ...line, outcome: 'failed', detail: `missing ${named(found.payment)}` };
  if (found.unknown.length > 0)
    return notJudged(ID, TITLE, `of these it cannot be told, ${named(found.unknown)}`);
  const beside = found.payment.length === 0 ? '' : `; a list need not name ${named(found.payment)}`;
  return { ...line, outcome: 'held', detail: `${all}${beside}` };
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
        if (!one.failed && isWithin(one, period)) found.set(one.signature, one);
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
function isWithin({ blockTime }: SignatureLine, { from, until }: { from: Date; until: Date }) {
  return blockTime === null || (blockTime >= from && blockTime < until);
}

async function kindOf(signature: string, { metadata, ...places }: Scanned): Promise<Kind> {
  const payment = await readPayment({ ...places, signature });
  if (isUntold(payment)) return 'unknown';
  const found = walletLegs(payment, metadata.wallet);
  if ('skipped' in found) return 'none';
  const least = metadata.leastMicros ?? 0n;
  const kinds = found.rows.map((leg): Kind => {
    const valuation = tokenByMint(leg.mint, places.network)?.valuation ?? null;
    if (valuation === null) return 'none';
    const units = rescale(leg.amount, leg.decimals, USD_DECIMALS);
    if (valuation === 'par') return units < least ? 'none' : 'payment';
    // Its value hangs on the rate of its day, which may not have been published either.
    return units * MOST_WORTH[valuation === 'market' ? 'market' : 'fx'] < least
      ? 'none'
      : 'unknown';
  });
  if (kinds.includes('payment')) return 'payment';
  return kinds.includes('unknown') ? 'unknown' : 'none';
}
