import canonicalize from 'canonicalize';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { encodePng } from '@quittance/verify/images/encode-png';
import { checkImage } from '@quittance/verify/receipts/check-image';
import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/image-digest';
import { worstOf } from '@quittance/verify/receipts/check-line';
import { checkTemplateUse } from '@quittance/verify/receipts/check-template-use';
import { checkTemplate } from '@quittance/verify/receipts/check-template';
import { checkToken } from '@quittance/verify/receipts/check-token';
import { parseReceiptMetadata } from '@quittance/verify/receipts/describe-parse';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { describeReceipt } from './describe-receipt';
import { makeFacts, makeHostileFacts } from './facts.fixture';
import type { ReceiptFacts } from './receipt-facts';

const IMAGE = 'https://gateway.example/9mCJx';
const BESIDE: ReceiptFacts['beside'] = {
  payerKind: 'wallet',
  sellerKind: 'wallet',
  leftOut: [],
  goods: [],
  change: [],
  paidWith: [],
  prices: [],
};
const form = z.looseObject({
  attributes: z.array(z.looseObject({ trait_type: z.string(), value: z.string() })),
  properties: z.looseObject({ files: z.array(z.looseObject({})) }),
});
type Form = z.infer<typeof form>;

/**
 * Verdict over the metadata alone. Forgeries are written like the service writes, canonical to the
 * byte.
 */
function judge(bytes: Uint8Array, mintedAt: Date | null = null) {
  const reading = parseReceiptMetadata(bytes);
  const metadata = reading.ok ? reading.metadata : null;
  const lines = [
    checkTemplate(reading, bytes),
    ...checkToken({ network: 'mainnet', metadata, mintedAt }),
  ];
  const readable = reading.ok ? 'genuine' : 'not genuine';
  return { lines, verdict: reading.ok ? verdictOf(lines) : readable };
}
const forge = (
  change: (json: Form) => object,
  facts: Partial<ReceiptFacts> = {},
  mintedAt: Date | null = null,
) => {
  const bytes = describeReceipt(makeFacts({ beside: BESIDE, ...facts }), IMAGE);
  const json = form.parse(JSON.parse(new TextDecoder().decode(bytes)));
  return judge(Buffer.from(canonicalize(change(json)) ?? ''), mintedAt);
};
const trait = (name: string, change: Record<string, string>) => (json: Form) => ({
  ...json,
  attributes: json.attributes.map((one) => (one.trait_type === name ? { ...one, ...change } : one)),
});

test('the service writes what its template defines, for every template and every label', () => {
  for (const facts of [
    makeFacts(),
    makeFacts({ beside: BESIDE }),
    makeFacts({ network: 'local', beside: BESIDE }),
    makeFacts({ network: 'devnet', reportedBy: 'seller', invoiceId: null }),
    makeHostileFacts(),
    makeHostileFacts({ beside: BESIDE }),
  ]) {
    const bytes = describeReceipt(facts, IMAGE);
    expect(checkTemplate(parseReceiptMetadata(bytes), bytes)).toMatchObject({ outcome: 'held' });
  }
  expect(forge((json) => json).verdict).toBe('genuine');
});

describe('not genuine, with any signature:', () => {
  test.each<[string, (json: Form) => object]>([
    ['a false description', (json) => ({ ...json, description: 'Payment of 999,999 USDC' })],
    ['another name', (json) => ({ ...json, name: 'Invoice 7K3MQ9XW2ABC' })],
    ['an animation', (json) => ({ ...json, animation_url: 'https://evil.example/a.html' })],
    ['an unknown field', (json) => ({ ...json, seller_fee_basis_points: 500 })],
    [
      'a second file',
      (json) => ({
        ...json,
        properties: {
          ...json.properties,
          files: [...json.properties.files, { uri: 'https://evil.example/b', type: 'video/mp4' }],
        },
      }),
    ],
    [
      'a file of another type',
      (json) => ({
        ...json,
        properties: { ...json.properties, files: [{ uri: IMAGE, type: 'text/html' }] },
      }),
    ],
    [
      'an unknown attribute',
      (json) => ({
        ...json,
        attributes: [
          ...json.attributes,
          {
            trait_type: 'Audited by',
            value: 'A firm',
            verification: 'self_reported',
            reported_by: 'service',
          },
        ],
      }),
    ],
    [
      'an unknown field of an attribute',
      trait('Amount', { display_type: 'number', max_value: '9' }),
    ],
    ['a label marked as proven', trait('Service type', { verification: 'chain' })],
    [
      'a label of the payer put into the seller’s mouth',
      trait('Invoice number', { reported_by: 'seller' }),
    ],
    ['an order of its own', (json) => ({ ...json, attributes: json.attributes.toReversed() })],
    ['USDT on the mint of USDC', trait('Token', { value: 'USDT' })],
    ['the DTI code of another token', trait('DTI code', { value: '6QBMW6DQZ' })],
    ['the group code of another token', trait('DTI group code', { value: 'L09Q657BK' })],
    ['a value that is not par', trait('Value in USD', { value: '1.75' })],
    ['a market value of a token at par', trait('Basis of USD value', { value: 'market' })],
    [
      'traits of the second template without its name',
      (json) => ({
        ...json,
        attributes: json.attributes.filter((one) => one.trait_type !== 'Template'),
      }),
    ],
  ])('%s', (_, change) => {
    expect(forge(change).verdict).toBe('not genuine');
  });

  test('a source of a value at par, which needs none', () => {
    expect(forge((json) => json, { valuationSource: 'a bank' }).verdict).toBe('not genuine');
  });

  test('an invented code, and the code of another token on a mint that has none', () => {
    const usdg = { mint: '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH', token: 'USDG' };
    const judged = (dtifCode: string | null) =>
      forge((json) => json, { ...usdg, groupCode: null, dtifCode }).verdict;
    expect(judged('5R3XFPZSM')).toBe('not genuine');
    expect(judged('000000000')).toBe('not genuine');
    expect(judged(null)).toBe('genuine');
  });
});

test('a mint that the table does not have could not be checked, unless it takes the symbol of another', () => {
  const mint = makeFacts().seller;
  const plain = { mint, dtifCode: null, groupCode: null };
  expect(forge((json) => json, { ...plain, token: 'NEWUSD' }).verdict).toBe('could not be checked');
  expect(forge((json) => json, { ...plain, token: 'USDC' }).verdict).toBe('not genuine');
});

test('a mint that no table had when the receipt was minted', () => {
  const invented = { mint: makeFacts().seller, dtifCode: null, groupCode: null, token: 'NEWUSD' };
  const judged = (mintedAt: string) => forge((json) => json, invented, new Date(mintedAt)).verdict;
  expect(judged('2026-11-29T00:00:00Z')).toBe('not genuine');
  expect(judged('2027-11-29T00:00:00Z')).toBe('could not be checked');
  expect(forge((json) => json, {}, new Date('2026-11-29T00:00:00Z')).verdict).toBe('genuine');
});

describe('an image', () => {
  const bytes = describeReceipt(makeFacts({ beside: BESIDE }), IMAGE);
  const reading = parseReceiptMetadata(bytes);
  const metadata = reading.ok ? reading.metadata : null;
  const blank = Buffer.from('89504e470d0a1a0a', 'hex');
  const outcome = (
    mintedAt: string,
    template: 2 | 3 | undefined,
    image: Uint8Array = blank,
    issuedAt = new Date(mintedAt),
  ) => {
    if (!metadata) throw new Error('the metadata cannot be read');
    const said = { ...metadata, template };
    const lines = [
      checkTemplateUse({ metadata: said, issuedAt, mintedAt: new Date(mintedAt) }),
      ...checkImage({ metadata: said, bytes, image }),
    ];
    return worstOf(lines.map((line) => line.outcome));
  };
  /** An image that carries a digest. */
  const carrying = (digest: string) =>
    encodePng({
      width: 1000,
      height: 1000,
      rgba: new Uint8Array(4_000_000).fill(255),
      palette: [0xffffff],
      texts: { [FACTS_KEY]: digest },
    });

  test('of these facts carries their digest, and that of another receipt another', async () => {
    const other = describeReceipt(makeFacts({ beside: BESIDE, amount: 1n }), IMAGE);
    const day = '2027-01-16T00:00:00Z';
    expect(outcome(day, 3, await carrying(factsDigest(bytes)))).toBe('held');
    expect(outcome(day, 3, await carrying(factsDigest(other)))).toBe('failed');
  });

  test('without a digest, or of an older template, is believed only of an NFT that is older', async () => {
    expect(outcome('2027-01-14T23:59:59Z', 2)).toBe('held');
    expect(outcome('2027-01-15T00:00:00Z', 2)).toBe('failed');
    expect(outcome('2027-01-15T00:00:00Z', 2, await carrying(factsDigest(bytes)))).toBe('failed');
    expect(outcome('2027-01-15T00:00:00Z', undefined)).toBe('failed');
    expect(outcome('2027-01-14T23:59:59Z', 3)).toBe('failed');
    // Issued before, and minted later.
    const before = new Date('2027-01-14T23:59:59Z');
    expect(outcome('2027-01-15T09:00:00Z', 2, blank, before)).toBe('unknown');
  });
});
