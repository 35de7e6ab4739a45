import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { decodeLeafEvents } from '@quittance/verify/nft/leaf';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { TIPS } from '@quittance/verify/chain/tips';
import { refuse } from '@quittance/verify/chain/transfer';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkFacts } from '@quittance/verify/receipts/check-facts';
import { checkMint } from '@quittance/verify/receipts/check-mint';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { checkStorage, itemIdOf, webPathOf } from '@quittance/verify/receipts/check-storage';
import { checkToken } from '@quittance/verify/receipts/check-token';
import {
  parseReceiptMetadata,
  type ReceiptMetadata,
} from '@quittance/verify/receipts/describe-parse';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { mintTime } from '@quittance/verify/receipts/minted-leaf';
import { issuerDocument } from '@quittance/verify/receipts/issuer-document';
import { MadeTransaction } from '../../tests/harness/chain/made-transaction';
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

describe('the other movements of a payment', () => {
  const facts = (chain: Partial<ReceiptMetadata['chain']>) =>
    checkFacts({
      payment: good.payment,
      network: good.issuer.network,
      metadata: { ...metadata, chain: { ...metadata.chain, ...chain } },
    });

  test('a payee that the count leaves out is not in the transaction', () => {
    const payee = { owner: makeKey().publicKey, amount: 5_000n };
    expect(outcomeOf(facts({}), 'fact_other_payees')).toBe('held');
    expect(outcomeOf(facts({ listedPayees: [payee] }), 'fact_other_payees')).toBe('failed');
  });

  test('a transaction that failed is no payment, also on a node that keeps no calls', () => {
    const failed = new MadeTransaction({ feePayer: 'payer' }).sendSol('payer', 'seller', 1n);
    const raw = failed.raw({ err: { InstructionError: [0, 'Custom'] }, inner: null });
    const payment = interpretTransaction(raw, { network: good.issuer.network });
    expect(payment).toMatchObject({ code: 'transaction_failed', movements: { hasInner: false } });
    const lines = checkFacts({ payment, network: good.issuer.network, metadata });
    expect(outcomeOf(lines, 'payment_read')).toBe('failed');
  });

  test('a price of another basis than the token has explains no choice', () => {
    // Of the first template, which takes the payment from the chain.
    const priced = (basis: 'par' | 'market') => {
      if (!good.payment.ok) throw new Error('the fixture is a payment');
      const usdPerUnit = { num: 9_000n, den: 1n };
      const prices = [{ mint: null, basis, usdPerUnit, source: 'an exchange' }];
      const payment = { ...good.payment, transfer: { ...good.payment.transfer, prices } };
      const { outcome } =
        checkFacts({
          payment,
          network: good.issuer.network,
          metadata: { ...metadata, template: undefined, service: { ...metadata.service, prices } },
        }).find(({ id }) => id === 'choice_explained') ?? {};
      return outcome;
    };
    expect(priced('market')).toBe('held');
    expect(priced('par')).toBe('failed');
  });
});

test('prices of which the choice needs none, or fewer, are no part of a receipt', () => {
  const usdPerUnit = { num: 9_000n, den: 1n };
  const price = { mint: null, basis: 'market', usdPerUnit, source: 'an exchange' } as const;
  const judged = (service: Partial<ReceiptMetadata['service']>) =>
    outcomeOf(
      checkFacts({
        payment: good.payment,
        network: good.issuer.network,
        metadata: { ...metadata, service: { ...metadata.service, ...service } },
      }),
      'choice_explained',
    );
  expect(judged({})).toBe('held');
  expect(judged({ prices: [price] })).toBe('failed');
  expect(judged({ priceCount: 1 })).toBe('failed');
});

test('a node that kept no record of what a transaction called says nothing against a receipt', () => {
  const mint = z
    .looseObject({ meta: z.looseObject({ innerInstructions: z.array(z.unknown()) }) })
    .parse(good.mintTransaction);
  for (const meta of [{ ...mint.meta, innerInstructions: null }, null]) {
    const lines = checkReceipt({ ...good, mintTransaction: { ...mint, meta } });
    expect(outcomeOf(lines, 'minted')).toBe('unknown');
    expect(verdictOf(lines)).toBe('could not be checked');
  }
  const none = { ...mint, meta: { ...mint.meta, innerInstructions: [] } };
  expect(verdictOf(checkReceipt({ ...good, mintTransaction: none }))).toBe('not genuine');
  const { payment } = good;
  if (!payment.ok) throw new Error('the fixture is a payment');
  const other = { ...payment.transfer, amount: 1n };
  const judged = (hasInner: boolean) => {
    const movements = { ...payment.movements, hasInner };
    return verdictOf(
      checkReceipt({ ...good, payment: { ...payment, transfer: other, movements } }),
    );
  };
  expect([judged(false), judged(true)]).toEqual(['could not be checked', 'not genuine']);
});

test('a receipt from before its payment, or with an id of no receipt, is not genuine', () => {
  const earlier = new Date(metadata.chain.paidAt.getTime() - 3_600_000);
  const subject = {
    id: metadata.service.receiptId,
    name: metadata.name,
    imageUri: metadata.imageUri,
    issuedAt: earlier,
    paidAt: metadata.chain.paidAt,
    owner: metadata.chain.payer,
  };
  const judged = (issuedAt: Date) =>
    outcomeOf(
      checkMint({ evidence: good, subject: { ...subject, issuedAt }, holder: 'payer', leaf: null }),
      'issued_after_payment',
    );
  expect([judged(earlier), judged(metadata.service.issuedAt)]).toEqual(['failed', 'held']);
  // As the metadata says, in another form than ids have.
  const id = metadata.service.receiptId;
  const renamed = (to: string) => {
    const text = Buffer.from(good.metadata.bytes).toString().replaceAll(id, to);
    const bytes = Buffer.from(text);
    const lines = checkReceipt({
      ...good,
      receiptId: to,
      metadata: { ...good.metadata, bytes },
    });
    return outcomeOf(lines, 'metadata_readable');
  };
  expect([renamed('7K3MQ9XW2ABD'), renamed('UUUUUUUUUUUU'), renamed('A'), renamed(id)]).toEqual([
    ...['held', 'failed', 'failed', 'held'],
  ]);
});

test('a payment is read as before a tip or an exchange was listed, if the mint bears it out', () => {
  const { movements } = good.payment;
  const mint = z.looseObject({ blockTime: z.number() }).parse(good.mintTransaction);
  const minted = mint.blockTime * 1000;
  if (!movements) throw new Error('the fixture is a payment');
  const judged = (hours: number) => {
    const before = new Date(minted + hours * 3_600_000);
    const days = vi.spyOn(TIPS, 'days').mockReturnValue([before]);
    const now = { ...movements, legs: [], earlier: [{ before, movements }] };
    const payment = refuse('not_a_payment', 'the seller takes tips', now);
    const mintTransaction = { ...mint, blockTime: mint.blockTime + 48 * 3_600 };
    const lines = checkReceipt({ ...good, payment, mintTransaction });
    days.mockRestore();
    return ['payment_read', 'fact_payer'].map((id) => outcomeOf(lines, id));
  };
  expect(judged(25)).toEqual(['held', 'held']);
  expect(judged(23)).toEqual(['unknown', 'unknown']);
  expect(judged(-48)).toEqual(['failed', 'unknown']);
});

test('a file of a key that had ended counts for a day; whether it waited longer is unknown', () => {
  const mintedAt = mintTime(good) ?? new Date(0);
  const at = mintedAt.getTime();
  const issuedAt = new Date(at - 50 * 3_600_000);
  const subject = {
    id: metadata.service.receiptId,
    name: metadata.name,
    imageUri: metadata.imageUri,
    issuedAt,
    paidAt: issuedAt,
    owner: metadata.chain.payer,
  };
  const judged = (endedBefore: number, revoked_at: string | null = null) => {
    const period = {
      revoked_at,
      used_from: new Date(at - 90 * 3_600_000).toISOString(),
      used_until: new Date(at - endedBefore * 3_600_000).toISOString(),
    };
    const storage_keys = good.issuer.storage_keys.map((one) => ({ ...one, ...period }));
    const evidence = { ...good, issuer: { ...good.issuer, storage_keys } };
    const line = checkStorage({ evidence, subject }).find(({ id }) => id === 'storage_key_ours');
    if (line?.outcome !== 'held')
      for (const time of [`issued ${issuedAt.toISOString()}`, `minted ${mintedAt.toISOString()}`])
        expect(line?.detail).toContain(time);
    return line?.outcome;
  };
  expect([judged(0), judged(23), judged(26), judged(49), judged(51)]).toEqual([
    ...['held', 'held', 'unknown', 'unknown', 'failed'],
  ]);
  expect(judged(26, new Date(at).toISOString())).toBe('failed');
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
    return checkToken({ metadata: reading.metadata, network: 'mainnet', mintedAt: null });
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
    paidAt: metadata.chain.paidAt,
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
  const collections = trees.map((one) => ({ ...one, kind: 'standard' }));
  const twice = { creators, storage_keys, trees, collections };
  expect(issuerDocument.safeParse(good.issuer).success).toBe(true);
  for (const [name, list] of Object.entries(twice)) {
    const earlier = list.map((one) => ({ ...one, used_from: '2020-01-01T00:00:00Z' }));
    const forged = { ...good.issuer, [name]: [...earlier, ...list] };
    expect(issuerDocument.safeParse({ ...good.issuer, [name]: list }).success, name).toBe(true);
    expect(issuerDocument.safeParse(forged).success, name).toBe(false);
  }
});
