import { beforeAll, expect, test } from 'vitest';
import { readDatedList } from '@quittance/verify/chain/dated-list';
import { EXCHANGES } from '@quittance/verify/chain/exchanges';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { TIPS } from '@quittance/verify/chain/tips';
import { type TransactionReading, walletLegs } from '@quittance/verify/chain/transfer';
import type { Network } from '@quittance/verify/network';
import { byEitherTable, readByTable } from '@quittance/verify/receipts/by-either-table';
import { checkFacts } from '@quittance/verify/receipts/check-facts';
import { type CheckLine, worstOf } from '@quittance/verify/receipts/check-line';
import {
  parseReceiptMetadata,
  type ReceiptMetadata,
} from '@quittance/verify/receipts/describe-parse';
import { paymentByTable } from '@quittance/verify/receipts/payment-by-table';
import { besideOf, legsOf } from '@quittance/verify/receipts/receipt-beside';
import { checkStatement } from '@quittance/verify/statements/check-statement';
import { checkComplete } from '@quittance/verify/statements/find-unlisted';
import {
  presentRow,
  type StatementRow,
  sumRows,
} from '@quittance/verify/statements/statement-rows';
import * as tokenTable from '@quittance/verify/tokens/token-table';
import tokens from '@quittance/verify/tokens/tokens.json';
import { bareEvidence } from '@/server/receipts/bare-evidence.fixture';
import { describeReceipt } from '@/server/receipts/describe-receipt';
import { makeFacts } from '@/server/receipts/facts.fixture';
import type { ReceiptFacts } from '@/server/receipts/receipt-facts';
import { standIn } from '@/tests/harness/stand-in';
import { MadeTransaction, named, SOL } from '@/tests/harness/chain/made-transaction';
import { describeStatement } from './describe-statement';
import { makeRow, signatureOf } from './list.fixture';
import { documentOf, factsOf, type History, LISTED, nodeWith, OTHER } from './scan.fixture';

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';

/** The table after a release that values BONK, from the first of March on. */
const after = tokenTable.readTable({
  since: tokens.since,
  lines: tokens.mainnet.map((one) =>
    one[1] === 'BONK' ? [...one.slice(0, 4), 'par', '2027-03-01'] : one,
  ),
});
standIn(tokenTable, {
  tokenByMint: (mint: string | null, _network: Network, tableOf?: Date) =>
    after.byMint(mint, tableOf),
  valuationDays: () => after.days(),
  listTokens: after.list,
});
/** A relay that takes tips and an exchange, both listed with that release. */
function listing(name: string) {
  const { has, days, addresses } = readDatedList({
    since: tokens.since,
    entries: [[named(name), '2027-03-01']],
  });
  return { has, days, addresses };
}
standIn(TIPS, listing('relay'));
standIn(EXCHANGES, listing('exchange'));

const BEFORE = new Date('2027-02-28T23:59:59Z');
const AFTER = new Date('2027-03-01T00:00:00Z');
/** Longer after that day than a file waits for its mint. */
const LATER = new Date('2027-03-02T00:00:00Z');
const network = 'mainnet';

const accountsOf = () =>
  new MadeTransaction({ feePayer: 'payer', signers: ['seller'] })
    .mint(BONK, { decimals: 5 })
    .account('payer usdc', { owner: 'payer', amount: 9_000_000n })
    .account('seller usdc', { owner: 'seller', amount: 0n })
    .account('payer bonk', { owner: 'payer', mint: BONK, amount: 900_000n })
    .account('seller bonk', { owner: 'seller', mint: BONK, amount: 900_000n });
const accounts = () =>
  accountsOf().send('payer usdc', 'seller usdc', 1_000_000n, { authority: 'payer' });
const read = (made: MadeTransaction) => interpretTransaction(made.raw(), { network });
/** USDC and BONK to one seller. */
let both: TransactionReading;
/** USDC for BONK, which counts as goods until it has a value. */
let bought: TransactionReading;
/** BONK for a ticket: a swap of two things until one of them has a value. */
let ticket: TransactionReading;
/** SOL to the seller, and some to the relay. */
let tipped: TransactionReading;
/**
 * USDC through the exchange, which pays the seller in USDT: a trade until the exchange is listed.
 */
let exchanged: TransactionReading;
const throughExchange = () =>
  accountsOf()
    .account('payer usdt', { owner: 'payer', mint: USDT, amount: 0n })
    .mint(USDT, { decimals: 6 })
    .account('pool usdc', { owner: 'pda pool', amount: 9_000_000n })
    .account('pool usdt', { owner: 'pda pool', mint: USDT, amount: 9_000_000n })
    .account('seller usdt', { owner: 'seller', mint: USDT, amount: 0n })
    .add('exchange', ['pool usdc', 'pool usdt', 'payer'], [1])
    .send('payer usdc', 'pool usdc', 1_000_000n, { authority: 'payer', by: 'exchange' })
    .send('pool usdt', 'seller usdt', 1_000_000n, { authority: 'pda pool', by: 'exchange' });
beforeAll(() => {
  both = read(accounts().send('payer bonk', 'seller bonk', 500_000n, { authority: 'payer' }));
  bought = read(accounts().send('seller bonk', 'payer bonk', 500_000n, { authority: 'seller' }));
  ticket = read(
    accountsOf()
      .mint('ticket', { decimals: 0 })
      .account('stock', { mint: 'ticket', owner: 'seller', amount: 1n })
      .account('shelf', { mint: 'ticket', owner: 'payer', amount: 0n })
      .send('payer bonk', 'seller bonk', 500_000n, { authority: 'payer' })
      .send('stock', 'shelf', 1n, { authority: 'seller' }),
  );
  tipped = read(
    new MadeTransaction({ feePayer: 'payer' })
      .sendSol('payer', 'seller', SOL)
      .sendSol('payer', 'relay', SOL / 100n),
  );
  exchanged = read(throughExchange());
});

/** The rows of a statement of the payer that was made by the table of a time. */
function rowsOf(payment: TransactionReading, tableOf: Date): StatementRow[] {
  const reading = readByTable(payment, { network, tableOf });
  const found = walletLegs(reading, named('payer'));
  if ('skipped' in found || !reading.movements) return [];
  const { signature, slot, blockTime } = reading.movements;
  return found.rows.flatMap((leg) => {
    const token = tokenTable.tokenByMint(leg.mint, network, tableOf);
    if (!token || token.valuation === null) return [];
    return makeRow(0, {
      txSignature: signature,
      slot,
      blockTime,
      leg: leg.leg,
      role: leg.role,
      counterparty: leg.counterparty,
      mint: leg.mint,
      token: token.symbol,
      dtifCode: token.dtifCode,
      decimals: leg.decimals,
      amountRaw: leg.amount,
      amountSentRaw: leg.amountSent,
      feeWithheldRaw: leg.feeWithheld,
      usdMicros: leg.mint === BONK ? leg.amount * 10n : leg.amount,
      valuation: token.valuation === 'market' ? 'market' : 'par',
    });
  });
}

type Made = { rows: StatementRow[]; issuedAt: Date; mintedAt?: Date };

/** How the lines about rows and legs end for a statement of these rows. */
function judge(payment: TransactionReading, made: Made) {
  return outcomeOf(checkMade(payment, made), 'rows_valued', 'rows_on_chain', 'rows_whole');
}

function checkMade(payment: TransactionReading, o: Made): CheckLine[] {
  const { rows, issuedAt, mintedAt = issuedAt } = o;
  const day = rows[0]?.blockTime.toISOString().slice(0, 10) ?? '';
  const metadata = describeStatement(
    {
      statementId: 'STMT7K3MQ9XW',
      issuedAt,
      network,
      publicUrl: 'https://receipts.example',
      wallet: named('payer'),
      mode: 'list',
      firstDay: day,
      lastDay: day,
      period: null,
      complete: true,
      totals: sumRows(rows),
      csvSha256: 'ab'.repeat(32),
      merkleRoot: 'cd'.repeat(32),
    },
    'https://gateway.example/image',
  );
  return checkStatement({
    ...bareEvidence(metadata, network),
    mintTransaction: { blockTime: mintedAt.getTime() / 1000 },
    statementId: 'STMT7K3MQ9XW',
    rows: rows.map(presentRow),
    payments: new Map([[payment.movements?.signature ?? '', payment]]),
    csv: null,
    membership: { row: rows.map(presentRow).at(-1), path: [], payment },
  });
}

function outcomeOf(checked: readonly CheckLine[], ...ids: string[]) {
  const own = checked.filter(({ id }) => ids.includes(id));
  expect(own).toHaveLength(ids.length);
  return worstOf(own.map(({ outcome }) => outcome));
}

test('an old statement stays genuine after a token got a value, and a new one must list it', () => {
  const rows = rowsOf(both, BEFORE);
  expect([rows.length, rowsOf(both, AFTER).length]).toEqual([1, 2]);
  expect(judge(both, { rows, issuedAt: BEFORE })).toBe('held');
  expect(judge(both, { rows, issuedAt: AFTER })).toBe('failed');
  expect(judge(both, { rows: rowsOf(both, AFTER), issuedAt: AFTER })).toBe('held');
});

test('a release that valued the token before that day is right as well', () => {
  expect(judge(both, { rows: rowsOf(both, AFTER), issuedAt: BEFORE })).toBe('held');
  expect([rowsOf(ticket, BEFORE).length, rowsOf(ticket, AFTER).length]).toEqual([0, 1]);
  expect(judge(ticket, { rows: rowsOf(ticket, AFTER), issuedAt: BEFORE })).toBe('held');
});

/** The file of a receipt that was made by the older tables. */
function receiptOf(payment: TransactionReading): {
  facts: ReceiptFacts;
  metadata: ReceiptMetadata;
} {
  const then = readByTable(payment, { network, tableOf: BEFORE });
  if (!then.ok) throw new Error(then.detail);
  const { transfer } = then;
  const facts = makeFacts({
    txSignature: transfer.signature,
    slot: transfer.slot,
    blockTime: transfer.blockTime,
    payer: transfer.payer,
    seller: transfer.seller,
    amount: transfer.amount,
    amountSent: transfer.amountSent,
    tokenProgram: transfer.tokenProgram,
    otherLegs: legsOf(transfer),
    beside: besideOf(transfer),
    issuedAt: BEFORE,
  });
  const reading = parseReceiptMetadata(describeReceipt(facts, 'https://gateway.example/image'));
  if (!reading.ok) throw new Error(reading.why);
  return { facts, metadata: reading.metadata };
}

test('a purchase of goods stays a payment after the goods got a value', () => {
  const rows = rowsOf(bought, BEFORE);
  expect(rows).toHaveLength(1);
  expect(rowsOf(bought, AFTER)).toEqual([]);
  expect(judge(bought, { rows, issuedAt: BEFORE })).toBe('held');
  expect(judge(bought, { rows, issuedAt: AFTER })).toBe('failed');
});

test('so does its receipt', () => {
  const { facts, metadata } = receiptOf(bought);
  expect(facts.beside?.goods).toHaveLength(1);
  const check = (issuedAt: Date) =>
    byEitherTable({ network, issuedAt, mintedAt: issuedAt }, (tableOf) =>
      checkFacts({ payment: readByTable(bought, { network, tableOf }), network, metadata }),
    );
  expect(worstOf(check(BEFORE).map(({ outcome }) => outcome))).toBe('held');
  expect(worstOf(check(AFTER).map(({ outcome }) => outcome))).toBe('failed');
});

test('a receipt is read again as it was made, from the chain and its file alone', () => {
  for (const payment of [bought, tipped]) {
    const { metadata } = receiptOf(payment);
    const again = paymentByTable({ payment, network, metadata });
    const then = readByTable(payment, { network, tableOf: BEFORE });
    expect(again).toEqual(then);
    expect(payment).not.toEqual(then);
  }
});

test('a scan of before misses no payment in it, and one of after does', async () => {
  const bonk = new MadeTransaction({ feePayer: 'payer' })
    .mint(BONK, { decimals: 5 })
    .account('payer bonk', { owner: 'payer', mint: BONK, amount: 900_000n })
    .account('seller bonk', { owner: 'seller', mint: BONK, amount: 0n })
    .send('payer bonk', 'seller bonk', 500_000n, { authority: 'payer' })
    .raw();
  const history: History = [{ raw: bonk, signature: LISTED }, { raw: bonk }];
  expect(await scan(history, BEFORE)).toMatchObject({ outcome: 'held' });
  const missing = { outcome: 'failed', detail: `missing 1: ${OTHER}` };
  expect(await scan(history, AFTER)).toMatchObject(missing);
  expect(await scan(history, BEFORE, AFTER)).toMatchObject({ outcome: 'held' });
  expect(await scan(history, BEFORE, LATER)).toMatchObject({ outcome: 'unknown' });
});

test('a scan that no table bears out as a whole is not genuine', async () => {
  const bonk = accountsOf().send('payer bonk', 'seller bonk', 500_000n, { authority: 'payer' });
  const goods = accounts().send('seller bonk', 'payer bonk', 500_000n, { authority: 'seller' });
  const history: History = [
    { raw: bonk.raw(), signature: LISTED },
    { raw: bonk.raw() },
    { raw: goods.raw(), signature: signatureOf('third') },
  ];
  expect(await scan(history, BEFORE)).toMatchObject({ outcome: 'failed' });
});

const scan = (history: History, issuedAt: Date, mintedAt = issuedAt) =>
  checkComplete({ document: documentOf(factsOf({ issuedAt })), mintedAt, ...nodeWith(history) });

test('a statement and a scan of before an exchange was listed stay genuine', async () => {
  expect([rowsOf(exchanged, BEFORE).length, rowsOf(exchanged, AFTER).length]).toEqual([0, 1]);
  const rows = rowsOf(exchanged, AFTER);
  expect(judge(exchanged, { rows, issuedAt: AFTER })).toBe('held');
  expect(judge(exchanged, { rows, issuedAt: BEFORE })).toBe('held');
  const raw = throughExchange().raw();
  const history: History = [{ raw, signature: LISTED }, { raw }];
  expect(await scan(history, BEFORE)).toMatchObject({ outcome: 'held' });
  expect(await scan(history, AFTER)).toMatchObject({ outcome: 'failed' });
});

test('a statement that names a tip as a leg stays genuine after its account was listed', () => {
  const rows = rowsOf(tipped, BEFORE);
  expect([rows.length, rowsOf(tipped, AFTER).length]).toEqual([2, 1]);
  expect(judge(tipped, { rows, issuedAt: BEFORE })).toBe('held');
  expect(judge(tipped, { rows, issuedAt: AFTER })).toBe('failed');
  expect(judge(tipped, { rows, issuedAt: BEFORE, mintedAt: AFTER })).toBe('held');
});

test('an issuer who dates a document back gains a day at most', () => {
  const rows = rowsOf(tipped, BEFORE);
  const dated = { rows, issuedAt: BEFORE, mintedAt: LATER };
  expect(judge(tipped, dated)).toBe('unknown');
  expect(outcomeOf(checkMade(tipped, dated), 'member_on_chain')).toBe('unknown');
  const forged = rows.map((row) => ({ ...row, amountRaw: 5n }));
  expect(judge(tipped, { rows: forged, issuedAt: BEFORE, mintedAt: LATER })).toBe('failed');
});

test('the table of today has every value', () => {
  const bonk = (tableOf?: Date) => tokenTable.tokenByMint(BONK, network, tableOf)?.valuation;
  expect([bonk(), bonk(AFTER), bonk(BEFORE)]).toEqual(['par', 'par', null]);
  expect(tokenTable.listTokens(network).find(({ mint }) => mint === BONK)?.valuation).toBe('par');
});
