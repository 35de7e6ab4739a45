import { beforeAll, describe, expect, test } from 'vitest';
import { decodeLeafEvents } from '@quittance/verify/nft/leaf';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkFacts } from '@quittance/verify/receipts/check-facts';
import { checkMint } from '@quittance/verify/receipts/check-mint';
import { itemIdOf, webPathOf } from '@quittance/verify/receipts/check-storage';
import { checkToken } from '@quittance/verify/receipts/check-token';
import {
  parseReceiptMetadata,
  type ReceiptMetadata,
} from '@quittance/verify/receipts/describe-parse';
import { issuerDocument } from '@quittance/verify/receipts/issuer-document';
import { describeReceipt } from './describe-receipt';
import { makeEvidence, makeKey } from './evidence.fixture';
import { makeFacts } from './facts.fixture';

let good: ReceiptEvidence;
let metadata: ReceiptMetadata;
beforeAll(async () => {
  good = await makeEvidence();
  const reading = parseReceiptMetadata(good.metadata.bytes);
  if (!reading.ok) throw new Error(reading.why);
  metadata = reading.metadata;
});

const outcomeOf = (lines: { id: string; outcome: string }[], id: string) =>
  lines.find((line) => line.id === id)?.outcome;

describe('what stands beside a payment', () => {
  const facts = (chain: Partial<ReceiptMetadata['chain']>) =>
    checkFacts({
      payment: good.payment,
      network: good.issuer.network,
      metadata: { ...metadata, chain: { ...metadata.chain, ...chain } },
    });

  test('a payee that the count leaves out is none of the transaction', () => {
    const payee = { owner: makeKey().publicKey, amount: 5_000n };
    expect(outcomeOf(facts({}), 'fact_other_payees')).toBe('held');
    expect(outcomeOf(facts({ listedPayees: [payee] }), 'fact_other_payees')).toBe('failed');
  });

  test('a price of another basis than the token has explains no choice', () => {
    // Of the first template, whose payment is taken as the chain was read.
    const priced = (basis: 'par' | 'market') => {
      if (!good.payment.ok) throw new Error('the fixture is a payment');
      const usdPerUnit = { num: 9_000n, den: 1n };
      const prices = [{ mint: null, basis, usdPerUnit, source: 'an exchange' }];
      const payment = { ...good.payment, transfer: { ...good.payment.transfer, prices } };
      const { outcome } =
        checkFacts({
          payment,
          network: good.issuer.network,
          metadata: { ...metadata, template: undefined },
        }).find(({ id }) => id === 'choice_explained') ?? {};
      return outcome;
    };
    expect(priced('market')).toBe('held');
    expect(priced('par')).toBe('failed');
  });
});

test('a market value or a rate that nobody published is no value', () => {
  const EURC = 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr';
  const valued = (valuationSource: string | null) => {
    const token = { mint: EURC, token: 'EURC', dtifCode: null, groupCode: null };
    const bytes = describeReceipt(
      makeFacts({ ...token, valuation: 'fx', valuationSource }),
      'https://gateway.example/9mCJx',
    );
    const reading = parseReceiptMetadata(bytes);
    if (!reading.ok) throw new Error(reading.why);
    return checkToken({ metadata: reading.metadata, network: 'mainnet' });
  };
  expect(outcomeOf(valued('ECB'), 'value_rule')).toBe('held');
  expect(outcomeOf(valued(null), 'value_rule')).toBe('failed');
});

test('an NFT that was minted to its payer with a delegate of the issuer is not its payer’s', () => {
  const [leaf] = decodeLeafEvents(good.mintTransaction);
  if (!leaf) throw new Error('the fixture has a leaf');
  const subject = {
    id: metadata.service.receiptId,
    name: metadata.name,
    imageUri: metadata.imageUri,
    issuedAt: metadata.service.issuedAt,
    owner: leaf.owner,
  };
  const line = (delegate: string) =>
    outcomeOf(
      checkMint({ evidence: good, subject, holder: 'payer', leaf: { ...leaf, delegate } }),
      'owner_is_payer',
    );
  expect(line(leaf.owner)).toBe('held');
  expect(line(makeKey().publicKey)).toBe('failed');
});

test.each([
  ['https://gateway.example/ID', 'ID'],
  ['http://127.0.0.1:7000/tx/ID', 'ID'],
  ['data:image/png;base64,AAAA/ID', null],
  ['javascript:alert(1)/ID', null],
  ['https://gateway.example/other?/ID', null],
  ['https://gateway.example/other#/ID', null],
])('the address %s is that of the item %s', (uri, id) => {
  expect(itemIdOf(uri)).toBe(id);
});

test('the page of another receipt is not taken for one that its query names', () => {
  expect(webPathOf('https://site.example/r/ONE')).toBe('/r/ONE');
  expect(webPathOf('https://site.example/r/OTHER?/r/ONE')).toBeNull();
});

test('an issuer that lists a key or a tree twice, with two times, is not read', () => {
  const { creators, storage_keys, trees } = good.issuer;
  const twice = { creators, storage_keys, trees };
  expect(issuerDocument.safeParse(good.issuer).success).toBe(true);
  for (const [name, list] of Object.entries(twice)) {
    const earlier = list.map((one) => ({ ...one, used_from: '2020-01-01T00:00:00Z' }));
    const forged = { ...good.issuer, [name]: [...earlier, ...list] };
    expect(issuerDocument.safeParse(forged).success, name).toBe(false);
  }
});
