import canonicalize from 'canonicalize';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseReceiptMetadata } from '@quittance/verify/receipts/describe-parse';
import { receiptName } from '@quittance/verify/receipts/write-metadata';
import { describeReceipt } from './describe-receipt';
import { makeFacts, makeHostileFacts } from './facts.fixture';
import type { ReceiptFacts } from './receipt-facts';

const IMAGE = 'https://gateway.example/9mCJx';
const FORM = z.object({
  name: z.string(),
  description: z.string(),
  external_url: z.string(),
  image: z.string(),
  properties: z.unknown(),
  attributes: z.array(
    z.strictObject({
      trait_type: z.string(),
      value: z.string(),
      verification: z.string(),
      reported_by: z.string().optional(),
    }),
  ),
});

const textOf = (facts: ReceiptFacts) => Buffer.from(describeReceipt(facts, IMAGE)).toString('utf8');
const jsonOf = (facts: ReceiptFacts) => FORM.parse(JSON.parse(textOf(facts)));
const metadataOf = (bytes: Uint8Array) => {
  const reading = parseReceiptMetadata(bytes);
  if (!reading.ok) throw new Error(reading.why);
  return reading.metadata;
};
/** The metadata with one attribute changed, taken out (null) or put in. */
const altered = (trait: string, change: Record<string, string> | null) => {
  const json = jsonOf(makeFacts());
  const kept = json.attributes.filter(({ trait_type }) => trait_type !== trait);
  const old = json.attributes.find(({ trait_type }) => trait_type === trait);
  const attributes = change ? [...kept, { trait_type: trait, ...old, ...change }] : kept;
  const whole: object = JSON.parse(textOf(makeFacts()));
  return parseReceiptMetadata(Buffer.from(JSON.stringify({ ...whole, attributes })));
};

describe('the metadata of a receipt', () => {
  test('says everything that the receipt says, and is read back as it was', () => {
    const facts = makeFacts({
      amount: 1_234_567_890n,
      feeWithheld: 1n,
      otherLegs: [
        { owner: makeFacts().payer, amount: 20n },
        { owner: makeFacts().seller, amount: 1_000_000n },
      ],
      valuation: 'fx',
      valuationSource: 'ECB reference rate of 2026-11-27',
      reportedBy: 'seller',
    });
    const { chain, service, labels, ...rest } = metadataOf(describeReceipt(facts, IMAGE));
    expect(chain).toEqual({
      network: 'mainnet',
      transaction: facts.txSignature,
      slot: facts.slot,
      paidAt: facts.blockTime,
      payer: facts.payer,
      seller: facts.seller,
      amount: facts.amount,
      decimals: 6,
      mint: facts.mint,
      tokenProgram: facts.tokenProgram,
      amountSent: facts.amountSent,
      feeWithheld: 1n,
      otherPayees: 2,
      listedPayees: facts.otherLegs,
    });
    expect(service).toEqual({
      receiptId: facts.receiptId,
      issuedAt: facts.issuedAt,
      token: 'USDC',
      usdMicros: 750_000n,
      usdBasis: 'fx',
      usdSource: 'ECB reference rate of 2026-11-27',
      dtiCode: facts.dtifCode,
      dtiGroupCode: facts.groupCode,
    });
    expect(labels).toEqual({
      reportedBy: 'seller',
      serviceType: facts.serviceType,
      transactionType: facts.transactionType,
      invoiceId: facts.invoiceId,
    });
    expect(rest).toMatchObject({
      name: 'Receipt 7K3MQ9XW2ABC',
      imageUri: IMAGE,
      pageUrl: 'https://receipts.example/r/7K3MQ9XW2ABC',
    });
  });

  test('of SOL has no mint and no token program, and reads back so', () => {
    const facts = makeFacts({ mint: null, tokenProgram: null, token: 'SOL', decimals: 9 });
    const { chain } = metadataOf(describeReceipt(facts, IMAGE));
    expect(chain).toMatchObject({ mint: null, tokenProgram: null, decimals: 9 });
  });

  test('marks what comes from the chain, and names who says the rest', () => {
    const { attributes } = jsonOf(makeFacts({ reportedBy: 'seller' }));
    const by = (source: string) =>
      attributes
        .filter((one) => (one.reported_by ?? one.verification) === source)
        .map(({ trait_type }) => trait_type);
    expect(attributes.every((one) => (one.verification === 'chain') === !one.reported_by)).toBe(
      true,
    );
    expect(by('seller')).toEqual(['Service type', 'Transaction type', 'Invoice number']);
    expect(by('service').sort()).toEqual([
      'Basis of USD value',
      'DTI code',
      'DTI group code',
      'Issued at (UTC)',
      'Receipt ID',
      'Token',
      'Value in USD',
    ]);
    expect(by('chain')).toContain('Amount');
  });

  test('is canonical JSON: equal facts give equal bytes, keys in order, no spaces', () => {
    const text = textOf(makeFacts());
    expect(textOf(makeFacts())).toBe(text);
    expect(canonicalize(JSON.parse(text))).toBe(text);
    expect(text.startsWith('{"attributes":[{')).toBe(true);
  });

  test('calls itself a payment receipt, and is marked where no real money moved', () => {
    const { description } = jsonOf(makeFacts());
    expect(description).toMatch(/^Payment receipt for 0\.75 USDC/);
    expect(textOf(makeFacts({ invoiceId: null }))).not.toMatch(/\binvoice|tax/i);
    const local = makeFacts({ network: 'local' });
    expect(jsonOf(local).name).toBe('TEST CHAIN Receipt 7K3MQ9XW2ABC');
    expect(jsonOf(local).description).toMatch(/^TEST CHAIN: not a real receipt/);
    expect(textOf(local)).toContain('"local test chain"');
    expect(textOf(local)).not.toContain('solana:');
    expect(jsonOf(makeFacts({ network: 'devnet' })).description).toMatch(/not a real receipt/);
  });

  test('stays small and has a name the program takes, with any labels and legs', () => {
    const facts = makeHostileFacts({ network: 'local' });
    const bytes = describeReceipt(facts, IMAGE);
    expect(bytes.length).toBeLessThan(20_000);
    expect(Buffer.byteLength(receiptName(facts))).toBeLessThanOrEqual(32);
    const { chain, labels } = metadataOf(bytes);
    expect(chain.otherPayees).toBe(400);
    expect(chain.listedPayees).toEqual(facts.otherLegs.slice(0, 16));
    expect(labels.serviceType).toBe(facts.serviceType);
    expect(labels.invoiceId).toBe(facts.invoiceId);
  });
});

describe('metadata that is not as we write it is refused', () => {
  test.each([
    ['a missing fact', altered('Slot', null), '"Slot" is missing'],
    ['an empty fact', altered('Payer', { value: '' }), '"Payer" is missing'],
    [
      'a fact of the chain that someone only tells',
      altered('Amount', { verification: 'self_reported', reported_by: 'payer' }),
      '"Amount" is marked payer, not chain',
    ],
    [
      'a label dressed up as a fact of the chain',
      altered('Invoice number', { verification: 'chain' }),
      '"Invoice number" is marked chain, not payer',
    ],
    [
      'a fact of the chain that nothing can check',
      altered('Delivered', { value: 'yes', verification: 'chain' }),
      '"Delivered" is marked chain, and nothing on the chain is called that',
    ],
    [
      'two amounts',
      altered('Amount', { value: '7.5' }),
      '"Amount" and "Amount in base units" are different amounts',
    ],
    [
      'an amount in words',
      altered('Amount sent', { value: '1e3' }),
      '"Amount sent" is not an amount of 6 decimals',
    ],
    [
      'a time without a zone',
      altered('Paid at (UTC)', { value: '2026-11-28T14:05:09' }),
      '"Paid at (UTC)" is not a UTC time',
    ],
    [
      'another network',
      altered('Network', { value: 'solana:x' }),
      '"Network" is not one that this checker knows',
    ],
  ])('%s', (_, reading, why) => {
    expect(reading).toEqual({ ok: false, why });
  });

  test('a trait that occurs twice', () => {
    const json = jsonOf(makeFacts());
    const [first] = json.attributes;
    const whole: object = JSON.parse(textOf(makeFacts()));
    const twice = JSON.stringify({ ...whole, attributes: [...json.attributes, first] });
    expect(parseReceiptMetadata(Buffer.from(twice))).toEqual({
      ok: false,
      why: '"Amount" occurs twice',
    });
  });

  test('bytes that are no JSON, or other JSON', () => {
    expect(parseReceiptMetadata(Uint8Array.of(0xff, 0xfe)).ok).toBe(false);
    expect(parseReceiptMetadata(Buffer.from('[]')).ok).toBe(false);
    expect(parseReceiptMetadata(Buffer.from('{"name":"x"}')).ok).toBe(false);
  });

  test('an attribute of an unknown kind is accepted', () => {
    expect(
      altered('Mood', { value: 'good', verification: 'self_reported', reported_by: 'service' }).ok,
    ).toBe(true);
  });
});
