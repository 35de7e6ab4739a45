import type { TransactionReading } from '../chain/transfer';
import { convert, ONE, toJsonNumber, USD_DECIMALS } from '../money';
import type { Network } from '../network';
import { notJudged, type CheckLine, type Outcome, SLACK_MS, worstOf } from '../receipts/check-line';
import { outcomeOfMissing } from '../receipts/check-token';
import { basisOf, isDti, listTokens, TABLE_DATE, tokenByMint } from '../tokens/token-table';
import { compareWithChain } from './compare-with-chain';
import type { StatementMetadata } from './parse-statement-metadata';
import type { StatementItem } from './statement-rows';

/**
 * The readings of the payments of the rows, by signature; `none`: the check on chain was turned
 * off.
 */
export type RowPayments = ReadonlyMap<string, TransactionReading> | 'none';

type Fault = { outcome: Exclude<Outcome, 'held'>; why: string };
type Place = { row: StatementItem; at: number; rows: readonly StatementItem[] };

const LINES = {
  order: ['rows_in_order', 'The rows are in the order of the chain, and none is listed twice'],
  period: ['rows_in_period', 'The rows are in the period that the NFT names'],
  tokens: ['rows_valued', 'Symbols, codes, amounts and values at par are those of the tokens'],
  chain: ['rows_on_chain', 'Every row matches its transaction'],
} as const;

/** Each row for itself: its place, its day, its token and value, and its transaction. */
export function checkEachRow(o: {
  rows: readonly StatementItem[];
  metadata: StatementMetadata;
  network: Network;
  mintedAt: Date | null;
  payments: RowPayments;
}): CheckLine[] {
  const { rows, metadata, payments } = o;
  const { wallet } = metadata;
  const known = { seen: new Set<string>(), receipts: new Map<string, string>() };
  return [
    judgeAll(LINES.order, rows, (place) => failedBy(faultOfPlace(place, { ...known, metadata }))),
    judgeAll(LINES.period, rows, (place) => failedBy(faultOfTime(place, metadata))),
    judgeAll(LINES.tokens, rows, ({ row }) => faultOfToken(row, o)),
    payments === 'none'
      ? notJudged(...LINES.chain, 'the check of the rows on chain was turned off')
      : judgeAll(LINES.chain, rows, ({ row }) => faultOnChain(row, { payments, wallet })),
  ];
}

/** One row that is shown alone: its form, its day, its token and its value. */
export function checkOneRow(
  row: StatementItem,
  o: { metadata: StatementMetadata; network: Network; mintedAt: Date | null },
): CheckLine[] {
  const line = (id: string, title: string, fault: Fault | null, seen: string): CheckLine => ({
    id,
    title,
    outcome: fault?.outcome ?? 'held',
    detail: fault?.why ?? seen,
  });
  // Which row is the first or the last is not shown.
  const place = { row, at: 1, rows: [row, row, row] };
  const inPeriod = faultOfForm(row, o.metadata) ?? faultOfTime(place, o.metadata);
  return [
    line(
      'member_in_period',
      'It is of the period and the form of the statement',
      failedBy(inPeriod),
      row.block_time,
    ),
    line(
      'member_valued',
      'Its symbol, code, amounts and value are of its token',
      faultOfToken(row, o),
      row.token,
    ),
  ];
}

/** Rows named in a detail. */
const MOST_NAMED = 3;

function judgeAll(
  [id, title]: readonly [id: string, title: string],
  rows: readonly StatementItem[],
  judge: (place: Place) => Fault | null,
): CheckLine {
  const faults = rows.flatMap((row, at) => {
    const fault = judge({ row, at, rows });
    return fault ? [{ ...fault, text: `row ${at + 1}, ${row.tx_signature}: ${fault.why}` }] : [];
  });
  if (faults.length === 0) return { id, title, outcome: 'held', detail: `${rows.length} rows` };
  const outcome = worstOf(faults.map((fault) => fault.outcome));
  const decisive = faults.filter((fault) => fault.outcome === outcome);
  const named = decisive.slice(0, MOST_NAMED).map(({ text }) => text);
  const detail = `${decisive.length} of ${rows.length} rows: ${named.join('; ')}`;
  return { id, title, outcome, detail };
}

function failedBy(why: string | null): Fault | null {
  return why === null ? null : { outcome: 'failed', why };
}

function faultOfPlace(
  { row, at, rows }: Place,
  {
    seen,
    receipts,
    metadata,
  }: {
    seen: Set<string>;
    /** The transaction of each receipt of the rows before. */
    receipts: Map<string, string>;
    metadata: StatementMetadata;
  },
): string | null {
  const { receipt_id: id } = row;
  const receipted = id === null ? null : (receipts.get(id) ?? row.tx_signature);
  if (id !== null && receipted !== null) receipts.set(id, receipted);
  const form = faultOfForm(row, metadata);
  if (form !== null) return form;
  const hasLeg = row.leg !== undefined;
  if (hasLeg !== (rows[0]?.leg !== undefined)) return 'some rows name their leg and some do not';
  if (receipted !== null && receipted !== row.tx_signature)
    return `its receipt is that of ${receipted}`;
  const key = `${row.tx_signature}:${row.leg ?? ''}`;
  if (seen.has(key)) return 'it is listed twice';
  seen.add(key);
  const before = rows[at - 1];
  if (!before) return null;
  if (row.slot < before.slot) return 'it is older than the row before it';
  const isLater = row.tx_signature !== before.tx_signature || (row.leg ?? 0) > (before.leg ?? 0);
  return isLater ? null : 'its leg comes before that of the row before it';
}

/**
 * From the first template that names itself on, a row has its leg, and with it the sent and
 * withheld amounts.
 */
function faultOfForm(row: StatementItem, { template }: StatementMetadata): string | null {
  const told = [row.leg, row.amount_sent_raw, row.fee_withheld_raw].filter(
    (one) => one !== undefined,
  );
  if (template > 1 && row.leg === undefined) return 'it does not name its leg';
  return told.length === 0 || told.length === 3
    ? null
    : 'it has one of leg, amount sent and fee withheld without the others';
}

/** A list is of the days of its first and last row; a scan of the days, and the instants, that it names. */
function faultOfTime({ row, at, rows }: Place, metadata: StatementMetadata): string | null {
  const { selection, firstDay, lastDay, period, leastMicros, issuedAt } = metadata;
  const day = dayOf(new Date(row.block_time));
  if (day < firstDay || day > lastDay) return `${day} is not from ${firstDay} to ${lastDay}`;
  if (selection === 'list' && at === 0 && day !== firstDay) return `the first day is ${day}`;
  if (selection === 'list' && at === rows.length - 1 && day !== lastDay)
    return `the last day is ${day}`;
  const time = new Date(row.block_time);
  // The service ends a scan at the time of the request at the latest, so it knows nothing later.
  if (period && +period.until > +issuedAt + SLACK_MS)
    return `the period ends on ${period.until.toISOString()}, after the statement was issued`;
  if (period && (dayOf(period.from) !== firstDay || dayOf(new Date(+period.until - 1)) !== lastDay))
    return 'the days are not those of the period';
  if (period && (time < period.from || time >= period.until))
    return `${row.block_time} is not in the period`;
  return leastMicros !== null && BigInt(row.usd_amount_raw) < leastMicros
    ? 'it is worth less than the least value of a row'
    : null;
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The table of tokens: its network, and the outcome if it does not have something. */
type Table = { network: Network; mintedAt: Date | null };

/**
 * The value at another basis than par comes from the source of that basis. The table has a date: a
 * missing token may be newer, as long as it belongs to no other token there.
 */
function faultOfToken(row: StatementItem, table: Table): Fault | null {
  const amounts = faultOfAmounts(row);
  const token = tokenByMint(row.mint, table.network);
  if (!token) return failedBy(amounts) ?? faultOfNewToken(row, table);
  if (row.token !== token.symbol)
    return failedBy(`the symbol is ${token.symbol}, not ${row.token}`);
  if (row.valuation !== basisOf(token.valuation))
    return failedBy(`the basis of the value is ${basisOf(token.valuation)}, not ${row.valuation}`);
  if (row.dtif_code === token.dtifCode) return failedBy(amounts);
  // A code that was registered later is missing in older documents.
  if (token.dtifCode !== null && row.dtif_code !== null)
    return failedBy(`the DTI code is ${token.dtifCode}, not ${row.dtif_code}`);
  return failedBy(amounts) ?? faultOfCode(row, table);
}

/** The two forms of the amount and of the value, and at par the one of the other. */
function faultOfAmounts(row: StatementItem): string | null {
  const [amount, micros] = [BigInt(row.amount_raw), BigInt(row.usd_amount_raw)];
  if (row.amount !== toJsonNumber(amount, row.decimals)) return 'its two amounts differ';
  if (row.usd_amount !== toJsonNumber(micros, USD_DECIMALS)) return 'its two values differ';
  const atPar = convert({
    amount,
    decimals: row.decimals,
    price: ONE,
    toDecimals: USD_DECIMALS,
  });
  return row.valuation === 'par' && micros !== atPar ? `its value at par is ${atPar}` : null;
}

function faultOfNewToken(row: StatementItem, table: Table): Fault {
  const taken = listTokens(table.network).find(({ symbol }) => symbol === row.token);
  if (taken) return { outcome: 'failed', why: `${row.token} is ${taken.mint ?? 'native SOL'}` };
  const code = faultOfCode(row, table);
  if (code?.outcome === 'failed') return code;
  return notInTable(`no token with the mint ${row.mint ?? 'SOL'}`, table);
}

/** A code that the table does not have for the token of a row. */
function faultOfCode({ dtif_code: code }: StatementItem, table: Table): Fault | null {
  if (code === null) return null;
  if (!isDti(code)) return { outcome: 'failed', why: `${code} is no DTI code` };
  const other = listTokens(table.network).find(({ dtifCode }) => dtifCode === code);
  if (other) return { outcome: 'failed', why: `the DTI code ${code} is that of ${other.symbol}` };
  return notInTable(`no DTI code of this mint, ${code} is said`, table);
}

function notInTable(what: string, { mintedAt }: Table): Fault {
  return { outcome: outcomeOfMissing(mintedAt), why: `the table of ${TABLE_DATE} has ${what}` };
}

function faultOnChain(
  row: StatementItem,
  o: { payments: ReadonlyMap<string, TransactionReading>; wallet: string },
): Fault | null {
  const payment = o.payments.get(row.tx_signature);
  if (!payment) return { outcome: 'unknown', why: 'the chain was not asked for it' };
  const { outcome, detail } = compareWithChain({ row, payment, wallet: o.wallet });
  return outcome === 'held' ? null : { outcome, why: detail };
}
