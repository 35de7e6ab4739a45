import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEFT_OUT_REASONS } from '@quittance/verify/chain/movements';
import { fractionOf, ONE, toDecimalText } from '@quittance/verify/money';
import type { ReceiptBeside } from '@quittance/verify/receipts/receipt-beside';
import { listTokens } from '@quittance/verify/tokens/token-table';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { findListedReceipts, findReceipt } from './find-receipt';
import { makeFacts } from './facts.fixture';
import { factsOfRow, FIELDS, type KeptIn, rowOfFacts } from './receipt-codec';
import type { ReceiptFacts } from './receipt-facts';

const PLACE = { network: 'mainnet', publicUrl: makeFacts().publicUrl } as const;

const amount = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const token = { mint: maybe(text), decimals: fc.integer({ min: 0, max: 12 }), amount };
const tokenLegs = fc.array(fc.record({ owner: text, ...token }), { maxLength: 3 });
/** As a price is stored: twelve digits at most. */
const price = fc.record({ num: amount, den: amount }).map((one) => {
  return fractionOf(toDecimalText(one)) ?? ONE;
});

const beside: fc.Arbitrary<ReceiptBeside> = fc.record({
  payerKind: oneOf('wallet' as const, 'program' as const),
  sellerKind: oneOf('wallet' as const, 'program' as const),
  leftOut: fc.array(
    fc.record({
      reason: oneOf(...LEFT_OUT_REASONS),
      from: maybe(text),
      to: maybe(text),
      account: maybe(text),
      ...token,
    }),
    { maxLength: 3 },
  ),
  goods: fc.array(fc.record({ ...token, mint: text }), { maxLength: 2 }),
  change: tokenLegs,
  paidWith: tokenLegs,
  prices: fc.array(
    fc.record({
      mint: maybe(text),
      usdPerUnit: price,
      basis: oneOf('par' as const, 'fx' as const, 'market' as const),
      source: maybe(text),
    }),
    { maxLength: 2 },
  ),
});

/**
 * Facts that differ as much as the type allows; mint and group code are of one entry of the token
 * table.
 */
const facts: fc.Arbitrary<ReceiptFacts> = fc
  .record({
    entry: oneOf(...listTokens(PLACE.network)),
    issuedAt: time,
    slot: fc.bigInt({ min: 0n, max: 2n ** 53n }),
    blockIndex: maybe(fc.integer({ min: 0, max: 100_000 })),
    blockTime: time,
    payer: text,
    seller: text,
    tokenProgram: maybe(text),
    token: text,
    decimals: fc.integer({ min: 0, max: 18 }),
    dtifCode: maybe(text),
    amount,
    amountSent: amount,
    feeWithheld: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    otherLegs: fc.array(
      fc.record(
        { owner: text, amount, mint: maybe(text), decimals: fc.integer(), amountSent: amount },
        { requiredKeys: ['owner', 'amount'] },
      ),
      { maxLength: 3 },
    ),
    beside: maybe(beside),
    usdMicros: amount,
    valuation: oneOf('par' as const, 'fx' as const, 'market' as const),
    valuationSource: maybe(text),
    serviceType: text,
    transactionType: maybe(text),
    invoiceId: maybe(text),
    reportedBy: oneOf('payer' as const, 'seller' as const),
  })
  .map(({ entry: { mint, groupCode }, ...rest }) => makeFacts({ ...rest, mint, groupCode }));

const COUNT = 150;
const ALL = fc.sample(facts, { numRuns: COUNT, seed: 20_261_129 }).map((one, n): ReceiptFacts => {
  const id = n.toString().padStart(12, '0');
  return { ...one, ...PLACE, receiptId: id, txSignature: `transaction ${id}` };
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const files = { metadataItemId: 'metadata', imageItemId: 'image' };
  const now = new Date();
  await database.prisma.receipt.createMany({
    data: ALL.map((one) => ({ ...rowOfFacts(one), ...files })),
  });
  await database.prisma.mint.createMany({
    data: ALL.map(({ receiptId: id, payer: owner }) => ({
      ...files,
      id,
      kind: 'receipt',
      owner,
      name: 'Receipt',
      metadataUri: `https://gateway.example/${id}`,
      redriveAt: now,
      createdAt: now,
      updatedAt: now,
    })),
  });
});
afterAll(() => database.close());

describe('the facts of a receipt', () => {
  it('come back from the database as they were written', async () => {
    for (const one of ALL) {
      const { receipt } = await findReceipt(database.prisma, one.receiptId);
      expect(factsOfRow(receipt, PLACE)).toEqual(one);
    }
  });

  it('are the same in a list', async () => {
    const found = await findListedReceipts(
      database.prisma,
      ALL.map(({ txSignature }) => txSignature),
    );
    expect(found.size).toBe(COUNT);
    for (const one of ALL) {
      const { amountRaw, amountSentRaw, feeWithheldRaw, prices, ...row } =
        found.get(one.txSignature) ?? expect.fail(`${one.txSignature} is in the list`);
      expect(one).toMatchObject({
        amount: amountRaw,
        amountSent: amountSentRaw,
        feeWithheld: feeWithheldRaw,
      });
      const { metadataUri, mintStatus, assetId, labelsHidden, ...own } = row;
      expect(labelsHidden).toBe(false);
      expect(one).toMatchObject(own);
      expect({ metadataUri, mintStatus, assetId }).toEqual({
        metadataUri: `https://gateway.example/${one.receiptId}`,
        mintStatus: 'pending',
        assetId: null,
      });
      expect(prices?.map(({ usd_per_unit }) => usd_per_unit) ?? null).toEqual(
        one.beside?.prices.map(({ usdPerUnit }) => toDecimalText(usdPerUnit)) ?? null,
      );
    }
  });
});

it('keeps each fact in a field of the row of its own', () => {
  // @ts-expect-error: a fact that is added to the type has no field yet, so that nothing compiles before it has one.
  const more: KeptIn<ReceiptFacts & { newFact: string }> = FIELDS;
  expect(new Set(Object.values(more)).size).toBe(Object.keys(makeFacts()).length - 3);
});
