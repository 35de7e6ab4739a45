import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readDatedList } from '@quittance/verify/chain/dated-list';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { TIPS } from '@quittance/verify/chain/tips';
import { readByTable } from '@quittance/verify/receipts/by-either-table';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { besideOf, legsOf } from '@quittance/verify/receipts/receipt-beside';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { receiptName } from '@quittance/verify/receipts/write-metadata';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { MadeTransaction, named, SOL } from '@/tests/harness/chain/made-transaction';
import { standIn } from '@/tests/harness/stand-in';
import { describeReceipt } from './describe-receipt';
import { drawReceipt } from './draw-receipt';
import { issueFiles, onChain } from './evidence.fixture';
import { makeFacts } from './facts.fixture';

const network = 'local';
const CHANGE = '2027-03-01';
const AFTER = new Date(`${CHANGE}T00:00:00Z`);
const BEFORE = new Date(AFTER.getTime() - 1_000);
/** A day after the change: the longest that a file waits for its mint. */
const LATER = new Date(AFTER.getTime() + 24 * 3_600_000);

/** The list of tip accounts of two releases: the second has one more. */
const { has, days, addresses } = readDatedList({
  since: '2026-11-29',
  entries: [named('first relay'), [named('second relay'), CHANGE]],
});
standIn(TIPS, { has, days, addresses });

/** The verdict on a receipt made by the list of a time, issued and minted at others. */
type Judge = (o: { listOf: Date; issuedAt: Date; mintedAt: Date }) => string;

let judge: Judge;
beforeAll(async () => {
  const payment = interpretTransaction(
    new MadeTransaction({ feePayer: 'payer' })
      .sendSol('payer', 'seller', SOL)
      .sendSol('payer', 'first relay', SOL / 1_000n)
      .sendSol('payer', 'second relay', SOL / 100n)
      .raw(),
    { network },
  );
  const factsOf = (o: { listOf: Date; issuedAt: Date }) => {
    const read = readByTable(payment, { network, tableOf: o.listOf });
    const sol = tokenByMint(null, network);
    if (!read.ok || !sol) throw new Error('the transaction is a payment in SOL');
    const { finality, feePayer, memos, references, ...transfer } = read.transfer;
    void [finality, feePayer, memos, references];
    return makeFacts({
      ...transfer,
      token: sol.symbol,
      dtifCode: sol.dtifCode,
      groupCode: sol.groupCode,
      valuation: 'market',
      valuationSource: 'an exchange',
      usdMicros: 130_000_000n,
      otherLegs: legsOf(read.transfer),
      beside: besideOf(read.transfer),
      txSignature: transfer.signature,
      network,
      issuedAt: o.issuedAt,
    });
  };
  const made = new Map<string, ReceiptEvidence>();
  await onChain(async (rpcUrl) => {
    for (const listOf of [BEFORE, AFTER])
      for (const issuedAt of [BEFORE, AFTER]) {
        const facts = factsOf({ listOf, issuedAt });
        const evidence = await issueFiles(rpcUrl, {
          owner: named('payer'),
          other: named('seller'),
          name: receiptName(facts),
          image: await drawReceipt(facts),
          publicUrl: facts.publicUrl,
          describe: (uri) => describeReceipt(facts, uri),
        });
        const { receiptId } = facts;
        made.set(`${+listOf} ${+issuedAt}`, { ...evidence, receiptId, payment });
      }
  });
  judge = ({ listOf, issuedAt, mintedAt }) => {
    const evidence = made.get(`${+listOf} ${+issuedAt}`);
    if (!evidence) throw new Error('there is no such receipt');
    const mint = z.looseObject({}).parse(evidence.mintTransaction);
    const mintTransaction = { ...mint, blockTime: mintedAt.getTime() / 1_000 };
    return verdictOf(checkReceipt({ ...evidence, mintTransaction }));
  };
});

test('a receipt minted by a list while it was in use is genuine', () => {
  expect(judge({ listOf: BEFORE, issuedAt: BEFORE, mintedAt: BEFORE })).toBe('genuine');
  expect(judge({ listOf: AFTER, issuedAt: AFTER, mintedAt: AFTER })).toBe('genuine');
});

test('a receipt issued by a list that was out of use is not genuine', () => {
  expect(judge({ listOf: BEFORE, issuedAt: AFTER, mintedAt: AFTER })).toBe('not genuine');
});

test('a release that has the later list before its day is right as well', () => {
  expect(judge({ listOf: AFTER, issuedAt: BEFORE, mintedAt: BEFORE })).toBe('genuine');
});

test('an issuer who backdates a receipt gains only the day that a file may wait for its mint', () => {
  const minted = (mintedAt: Date) => judge({ listOf: BEFORE, issuedAt: BEFORE, mintedAt });
  expect(minted(new Date(LATER.getTime() - 1_000))).toBe('genuine');
  expect(minted(LATER)).toBe('could not be checked');
});
