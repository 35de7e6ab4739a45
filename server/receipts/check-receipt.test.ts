import { beforeAll, describe, expect, test } from 'vitest';
import { decodeLeafEvents, leafHash, rootFromProof } from '@quittance/verify/nft/leaf';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { itemOf, makeEvidence, makeKey } from './evidence.fixture';
import { makeFacts } from './facts.fixture';

let good: ReceiptEvidence;
beforeAll(async () => {
  good = await makeEvidence();
});

/** Ids of the lines that do not hold once the evidence is changed. */
function failing(change: (evidence: ReceiptEvidence) => Partial<ReceiptEvidence>): string[] {
  const lines = checkReceipt({ ...good, ...change(good) });
  return lines.filter(({ outcome }) => outcome !== 'held').map(({ id }) => id);
}

const flip = (bytes: Uint8Array, at: number) => {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
/** The bytes with one text replaced by another of the same length. */
const swap = (bytes: Uint8Array, from: string, to: string) => {
  const text = Buffer.from(bytes).toString('utf8');
  expect(text).toContain(from);
  return Buffer.from(text.replace(from, to), 'utf8');
};
const address = () => makeKey().publicKey;
const proofOf = ({ proof }: ReceiptEvidence) => {
  if (!proof) throw new Error('the fixture has a proof');
  return proof;
};
const treeOf = ({ tree }: ReceiptEvidence): Uint8Array => tree.data ?? new Uint8Array();
const transferOf = ({ payment }: ReceiptEvidence) => {
  if (!payment.ok) throw new Error(payment.detail);
  return payment.transfer;
};
const movementsOf = ({ payment }: ReceiptEvidence) => {
  if (!payment.movements) throw new Error('nothing moved');
  return payment.movements;
};
const paid = (change: object) => (evidence: ReceiptEvidence) => {
  const payment: ReceiptEvidence['payment'] = {
    ok: true,
    transfer: { ...transferOf(evidence), ...change },
    movements: { ...movementsOf(evidence), legs: [] },
  };
  return { payment };
};

test('a receipt from payment to leaf holds in every line', () => {
  const lines = checkReceipt(good);
  expect(lines.filter(({ outcome }) => outcome !== 'held')).toEqual([]);
  expect(verdictOf(lines)).toBe('genuine');
  expect(lines.map(({ id }) => id)).toEqual([
    'metadata_readable',
    'metadata_by_template',
    'labels_plain',
    'metadata_signed',
    'image_signed',
    'files_tagged',
    'image_named',
    'storage_key_ours',
    'picture_of_facts',
    'picture_form',
    'template_in_use',
    'minted',
    'metadata_named',
    'leaf_computed',
    'creator_ours',
    'tree_ours',
    'collection_ours',
    'owner_is_payer',
    'issued_after_payment',
    'issued_in_time',
    'leaf_proven',
    'root_recent',
    'holder_now',
    'payment_read',
    'fact_network',
    'choice_explained',
    'fact_transaction',
    'fact_payer',
    'fact_seller',
    'fact_amount',
    'fact_token',
    'fact_slot',
    'fact_time',
    'fact_fee',
    'fact_other_payees',
    'fact_beside',
    'token_symbol',
    'token_dti',
    'value_rule',
  ]);
});

describe('one changed part fails exactly its line:', () => {
  test('a byte of the metadata', () => {
    expect(
      failing(({ metadata }) => ({
        metadata: { ...metadata, bytes: swap(metadata.bytes, 'API calls', 'API balls') },
      })),
    ).toEqual(['metadata_signed', 'picture_of_facts']);
  });

  test('a byte of the metadata, in the stored item too', () => {
    expect(
      failing(({ metadata }) => {
        const data = swap(metadata.bytes, 'API calls', 'API balls');
        return { metadata: { bytes: data, item: { ...metadata.item, data } } };
      }),
    ).toEqual(['metadata_signed', 'picture_of_facts']);
  });

  test('a byte of the image, or of the tags, anchor or id it was stored with', () => {
    const image = (change: (item: ReceiptEvidence['image']['item']) => object) =>
      failing((evidence) => ({
        image: {
          ...evidence.image,
          item: { ...evidence.image.item, ...change(evidence.image.item) },
        },
      }));
    expect(
      failing(({ image }) => ({ image: { ...image, bytes: flip(image.bytes, 5000) } })),
    ).toEqual(['image_signed', 'picture_form']);
    expect(
      failing(({ image: { item } }) => {
        const data = flip(item.data, 5000);
        return { image: { bytes: data, item: { ...item, data } } };
      }),
    ).toEqual(['image_signed', 'picture_form']);
    expect(image(({ anchor }) => ({ anchor: flip(anchor, 3) }))).toEqual(['image_signed']);
    expect(image(() => ({ tags: [] }))).toEqual(['image_signed', 'files_tagged']);
    expect(image(({ signature }) => ({ signature: flip(signature, 3) }))).toEqual(['image_signed']);
  });

  test('another image that is as well signed', () => {
    const key = makeKey();
    expect(
      failing(({ image, issuer }) => {
        const item = itemOf(key, flip(image.bytes, 5000), 'image/png');
        const [first] = issuer.storage_keys;
        if (!first) throw new Error('no storage key');
        return {
          image: { bytes: item.data, item },
          issuer: { ...issuer, storage_keys: [first, { ...first, public_key: key.publicKey }] },
        };
      }),
    ).toEqual(['image_named', 'picture_form']);
  });

  const issuer = (change: (issuer: ReceiptEvidence['issuer']) => object) =>
    failing((evidence) => ({ issuer: { ...evidence.issuer, ...change(evidence.issuer) } }));
  const foreign = <T>(entries: T[], change: object): T[] =>
    entries.map((entry) => ({ ...entry, ...change }));
  const longAgo = { used_until: '2020-01-01T00:00:00.000Z' };
  const tomorrow = { used_from: new Date(Date.now() + 86_400_000).toISOString() };

  test('another storage key, or one that was not in use', () => {
    for (const change of [{ public_key: address() }, longAgo, tomorrow])
      expect(issuer((one) => ({ storage_keys: foreign(one.storage_keys, change) }))).toEqual([
        'storage_key_ours',
      ]);
  });

  test('another creator, or one that was not in use', () => {
    for (const change of [{ public_key: address() }, longAgo, tomorrow])
      expect(issuer((one) => ({ creators: foreign(one.creators, change) }))).toEqual([
        'creator_ours',
      ]);
  });

  test('another tree, or one that was not in use', () => {
    for (const change of [{ address: address() }, longAgo, tomorrow])
      expect(issuer((one) => ({ trees: foreign(one.trees, change) }))).toEqual(['tree_ours']);
  });

  test('another network', () => {
    expect(issuer(() => ({ network: 'mainnet' }))).toEqual(['fact_network']);
  });

  test('another receipt asked for', () => {
    expect(failing(() => ({ receiptId: 'ABCDEF123456' }))).toEqual(['metadata_readable']);
  });

  test('another proof', () => {
    expect(
      failing(() => ({
        proof: { ...proofOf(good), siblings: [...proofOf(good).siblings].reverse() },
      })),
    ).toEqual(['leaf_proven', 'holder_now']);
    expect(failing(() => ({ proof: { ...proofOf(good), siblings: ['', 'l0'] } }))).toEqual([
      'leaf_proven',
      'holder_now',
    ]);
  });

  test('a tree that does not know the root', () => {
    const fresh = (data: Uint8Array) => {
      const copy = Buffer.from(data);
      // The first eight of the remembered changes begin with their roots, 136 bytes apart at depth 3.
      for (let i = 0; i < 8; i++) copy.fill(7, 80 + i * 136, 112 + i * 136);
      return copy;
    };
    expect(failing(({ tree }) => ({ tree: { ...tree, data: fresh(treeOf(good)) } }))).toEqual([
      'root_recent',
      'holder_now',
    ]);
    expect(failing(({ tree }) => ({ tree: { ...tree, data: new Uint8Array() } }))).toEqual([
      'root_recent',
      'holder_now',
    ]);
    expect(failing(({ tree }) => ({ tree: { ...tree, address: address() } }))).toEqual([
      'root_recent',
      'holder_now',
    ]);
  });

  test.each([
    ['amount', { amount: 750_001n }, 'fact_amount'],
    ['payer', { payer: makeFacts().payer }, 'fact_payer'],
    ['seller', { seller: makeFacts().seller }, 'fact_seller'],
    ['mint', { mint: makeFacts().seller }, 'fact_token'],
    ['token program', { tokenProgram: makeFacts().seller }, 'fact_token'],
    ['decimals', { decimals: 7 }, 'fact_token'],
    ['slot', { slot: 1n }, 'fact_slot'],
    ['time', { blockTime: new Date('2026-01-01T00:00:00Z') }, 'fact_time'],
    ['transaction', { signature: makeFacts().txSignature }, 'fact_transaction'],
    ['fee withheld', { feeWithheld: 1n }, 'fact_fee'],
    ['amount sent', { amountSent: 750_001n }, 'fact_fee'],
    ['other payee', { otherLegs: [{ owner: makeFacts().payer, amount: 1n }] }, 'fact_other_payees'],
  ])('on the chain another %s', (_, change, line) => {
    expect(failing(paid(change))).toEqual([line]);
  });
});

describe('a missing answer of a node or an index is unknown, never against the receipt:', () => {
  const outcomes = (change: Partial<ReceiptEvidence>) => {
    const lines = checkReceipt({ ...good, ...change });
    expect(lines.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    return verdictOf(lines);
  };
  const untold = (code: 'transaction_not_found' | 'unreadable_transaction' | 'owner_unknown') => ({
    payment: { ok: false as const, code, detail: 'the node is down', movements: null },
  });

  test.each<[string, () => Partial<ReceiptEvidence>]>([
    ['no mint transaction', () => ({ mintTransaction: null })],
    ['no tree', () => ({ tree: { ...good.tree, data: null } })],
    ['something else than a tree', () => ({ tree: { ...good.tree, data: new Uint8Array(9) } })],
    ['no index', () => ({ asset: { ...good.asset, owner: null, delegate: null }, proof: null })],
    [
      'an index that gives a wrong proof',
      () => ({ proof: { ...proofOf(good), siblings: [...proofOf(good).siblings].reverse() } }),
    ],
    ['a root that the tree has forgotten', () => ({ proof: staleProof() })],
    ['no payment', () => untold('transaction_not_found')],
    ['a payment of a form that cannot be read', () => untold('unreadable_transaction')],
    ['a payment without owners', () => untold('owner_unknown')],
  ])('%s', (_, change) => {
    expect(outcomes(change())).toBe('could not be checked');
  });

  /**
   * A proof to a root that the tree never had, or had too long ago. The two cannot be
   * distinguished.
   */
  function staleProof() {
    const siblings = proofOf(good).siblings.map(() => address());
    const [leaf] = decodeLeafEvents(good.mintTransaction);
    if (!leaf) throw new Error('no leaf');
    return { siblings, root: rootFromProof(leafHash(leaf), siblings, leaf.leafIndex) };
  }

  test('but a payment that failed, or is not a payment, is not genuine', () => {
    for (const code of ['transaction_failed', 'not_a_payment', 'several_payers'] as const) {
      const payment = { ok: false as const, code, detail: 'no', movements: null };
      expect(verdictOf(checkReceipt({ ...good, payment }))).toBe('not genuine');
    }
  });
});

describe('lines that rely on missing evidence do not hold:', () => {
  const facts = (lines: string[]) => lines.filter((id) => id.startsWith('fact_'));

  test('without the payment, its facts', () => {
    const lines = failing(() => ({
      payment: { ok: false, code: 'transaction_not_found', detail: 'gone', movements: null },
    }));
    expect(lines[0]).toBe('payment_read');
    expect(facts(lines)).toHaveLength(10);
    expect(lines).toHaveLength(12);
  });

  test('without the mint transaction, everything about the NFT', () => {
    const nft = ['minted', 'metadata_named', 'leaf_computed', 'creator_ours', 'tree_ours'];
    const own = ['collection_ours', 'owner_is_payer', 'issued_in_time'];
    const place = [...own, 'leaf_proven', 'root_recent', 'holder_now'];
    for (const mintTransaction of [null, {}, 'x', { transaction: {}, meta: null }])
      expect(failing(() => ({ mintTransaction }))).toEqual([...nft, ...place]);
    expect(failing(({ asset }) => ({ asset: { ...asset, id: address() } }))).toEqual([
      ...nft,
      ...place,
    ]);
  });

  test('with metadata that cannot be read, nothing that rests on it, and no throw', () => {
    const lines = failing(({ metadata }) => ({
      metadata: { ...metadata, bytes: new Uint8Array([1]) },
    }));
    expect(lines).toContain('metadata_readable');
    expect(lines).toContain('metadata_signed');
    expect(lines).toContain('storage_key_ours');
    expect(lines).toContain('leaf_computed');
    expect(facts(lines)).toHaveLength(11);
  });
});

test('metadata rewritten and signed by our own key is not what the NFT names', () => {
  const key = makeKey();
  const lines = failing(({ metadata, issuer }) => {
    const bytes = swap(swap(metadata.bytes, '"750000"', '"950000"'), '"0.75"', '"0.95"');
    const item = itemOf(key, bytes, 'application/json');
    const [first] = issuer.storage_keys;
    if (!first) throw new Error('no storage key');
    return {
      metadata: { bytes, item },
      issuer: { ...issuer, storage_keys: [first, { ...first, public_key: key.publicKey }] },
    };
  });
  expect(lines.sort()).toEqual([
    'fact_amount',
    'metadata_by_template',
    'metadata_named',
    'picture_of_facts',
    'value_rule',
  ]);
});

test('an NFT minted under another name is not the one of this metadata', () => {
  expect(
    failing(({ metadata }) => ({
      metadata: {
        ...metadata,
        bytes: swap(metadata.bytes, '"TEST CHAIN Receipt', '"TEST-CHAIN Receipt'),
      },
    })),
  ).toEqual(['metadata_by_template', 'metadata_signed', 'picture_of_facts', 'leaf_computed']);
});
