import { beforeAll, describe, expect, test } from 'vitest';
import type { LeafHistory } from '@quittance/verify/nft/follow-leaf';
import { decodeLeafEvents } from '@quittance/verify/nft/leaf';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkProof, type ServedFiles } from '@quittance/verify/receipts/check-proof';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { fileOf, itemOf, makeEvidence, makeKey, seenOf } from './evidence.fixture';
import { evidenceOfProof, type SeenOnChain } from '@quittance/verify/receipts/evidence-of-proof';
import {
  proofDocument,
  writeMintProof,
  type ProofDocument,
} from '@quittance/verify/receipts/proof-document';

let good: ReceiptEvidence;
let document: ProofDocument;
beforeAll(async () => {
  good = await makeEvidence();
  const [leaf] = decodeLeafEvents(good.mintTransaction);
  if (!leaf || !good.payment.ok) throw new Error('no leaf or no payment');
  const proof = writeMintProof({
    network: 'local',
    issuerUrl: `${good.issuer.url}/.well-known/quittance.json`,
    mintSignature: 'as looked up',
    metadata: fileOf(good.metadata),
    image: fileOf(good.image),
    leaf,
    asset: seenOf(good).asset,
  });
  const tx_signature = good.payment.transfer.signature;
  document = { ...proof, receipt_id: good.receiptId, tx_signature };
});

test('an asset and a proof that were read at different times are written without the proof', () => {
  const [leaf] = decodeLeafEvents(good.mintTransaction);
  if (!leaf) throw new Error('the fixture has a leaf');
  const written = (change: object) => {
    const { root, proof } = writeMintProof({
      network: 'local',
      issuerUrl: good.issuer.url,
      mintSignature: 'as looked up',
      metadata: fileOf(good.metadata),
      image: fileOf(good.image),
      leaf,
      asset: { ...seenOf(good).asset, ...change },
    });
    return [root === null, proof === null];
  };
  expect(written({})).toEqual([false, false]);
  expect(written({ owner: makeKey().publicKey })).toEqual([true, true]);
  expect(written({ burnt: true })).toEqual([true, true]);
});

test('by the history of the tree, the holder is the newest owner, and nobody once it was burnt', () => {
  const [leaf] = decodeLeafEvents(good.mintTransaction);
  if (!leaf) throw new Error('the fixture has a leaf');
  const written = (history: LeafHistory) => {
    const { holder, burnt } = writeMintProof({
      network: 'local',
      issuerUrl: good.issuer.url,
      mintSignature: 'as looked up',
      metadata: fileOf(good.metadata),
      image: fileOf(good.image),
      leaf,
      asset: null,
      history,
    });
    return { holder, burnt };
  };
  const owner = makeKey().publicKey;
  expect(written({ state: 'moved', owner, changes: 2 })).toEqual({
    holder: { owner, delegate: null },
    burnt: false,
  });
  expect(written({ state: 'burnt', changes: 3 })).toEqual({ holder: null, burnt: true });
});

/** The data of a node that has all of it, or no index of assets. */
const seen = (change: Partial<SeenOnChain> = {}): SeenOnChain => ({
  mintTransaction: good.mintTransaction as SeenOnChain['mintTransaction'],
  ...seenOf(good),
  payment: good.payment,
  ...change,
});

function failing(
  change: Partial<ProofDocument> = {},
  o: {
    seen?: Partial<SeenOnChain>;
    issuer?: Partial<ReceiptEvidence['issuer']>;
    served?: ServedFiles;
  } = {},
): string[] {
  const altered = proofDocument.parse({ ...document, ...change });
  const evidence = evidenceOfProof({
    document: altered,
    issuer: { ...good.issuer, ...o.issuer },
    seen: seen(o.seen),
  });
  return checkProof({ document: altered, evidence, served: o.served })
    .filter(({ outcome }) => outcome !== 'held')
    .map(({ id }) => id);
}

const address = () => makeKey().publicKey;
/** The base64 of an item with one bit of it turned, counted from its end when negative. */
function flipped(item: string, at: number): string {
  const bytes = Buffer.from(item, 'base64');
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return bytes.toString('base64');
}

test('a proof holds in every line, with a node that has an index of assets and with one that has none', () => {
  expect(failing()).toEqual([]);
  expect(failing({}, { seen: { asset: null } })).toEqual([]);
});

describe('a proof altered anywhere fails on the line of the altered part:', () => {
  test('each fact that the document states', () => {
    const { leaf } = document;
    const change: [Partial<ProofDocument>, string[]][] = [
      [{ receipt_id: '0000000000Z0' }, ['metadata_readable']],
      [{ network: 'mainnet' }, ['network_stated']],
      [{ issuer_url: 'https://example.com' }, ['network_stated']],
      [{ tree: address() }, ['root_recent', 'holder_now', 'leaf_stated']],
      [{ leaf_index: 5 }, ['leaf_stated']],
      [{ creator: address() }, ['leaf_stated']],
      [{ root: address() }, ['proof_stated']],
      [{ proof: (document.proof ?? []).toReversed() }, ['proof_stated']],
      [{ holder: { owner: address(), delegate: null } }, ['proof_stated']],
      ...Object.keys(leaf).map((name): [Partial<ProofDocument>, string[]] => [
        { leaf: { ...leaf, [name]: typeof Reflect.get(leaf, name) === 'number' ? 77 : address() } },
        ['leaf_stated'],
      ]),
    ];
    for (const [altered, lines] of change)
      expect(failing(altered), JSON.stringify(altered)).toEqual(lines);
  });

  test('each fact of a file, and any byte of it', () => {
    for (const part of ['metadata', 'image'] as const) {
      const file = document[part];
      const own = (change: object) => failing({ [part]: { ...file, ...change } });
      expect(own({ sha256: '00' })).toEqual([`${part}_stated`]);
      expect(own({ uri: 'https://gateway.example/other' })).toEqual([`${part}_stated`]);
      expect(own({ item_id: address() })).toContain(`${part}_signed`);
      // In the signature, the key, the tags and the data.
      for (const at of [10, 80, 180, -200])
        expect(own({ item: flipped(file.item, at) }), `${part} ${at}`).toContain(`${part}_signed`);
      expect(own({ item: 'AAAA' })).toContain(`${part}_signed`);
    }
  });

  test('the holder and the proof, where only the document has them', () => {
    const alone = { seen: { asset: null } };
    expect(failing({ holder: { owner: address(), delegate: null } }, alone)).toEqual([
      'proof_stated',
    ]);
    expect(failing({ root: address() }, alone)).toEqual([
      'leaf_proven',
      'root_recent',
      'holder_now',
      'proof_stated',
    ]);
  });

  test('a document without a proof of the place rests on the index or the history of the tree', () => {
    const bare = { holder: null, root: null, proof: null };
    const place = ['leaf_proven', 'root_recent', 'holder_now'];
    expect(failing(bare)).toEqual([]);
    expect(failing(bare, { seen: { asset: null } })).toEqual(place);
    const history = { state: 'moved', owner: address(), changes: 3 } as const;
    expect(failing(bare, { seen: { asset: null, history } })).toEqual([]);
    expect(failing({ proof: null })).toEqual(['proof_stated']);
  });

  test('an asset, a mint transaction or a tree that the chain does not have', () => {
    expect(failing({ asset_id: address() })).toContain('minted');
    expect(failing({}, { seen: { mintTransaction: null } })).toContain('minted');
    expect(failing({}, { seen: { tree: null } })).toEqual(['root_recent', 'holder_now']);
  });
});

test('a receipt of another creator, another tree or another storage key fails on that line', () => {
  const used = { used_from: '2020-01-01T00:00:00.000Z', used_until: null };
  const key = [{ public_key: address(), ...used }];
  expect(failing({}, { issuer: { creators: key } })).toEqual(['creator_ours']);
  expect(failing({}, { issuer: { storage_keys: key } })).toEqual(['storage_key_ours']);
  expect(failing({}, { issuer: { trees: [{ address: address(), ...used }] } })).toEqual([
    'tree_ours',
  ]);
});

test('a receipt of keys and a tree that were replaced since holds, and one made after they were does not', () => {
  const hour = 3_600_000;
  const newer = { used_from: new Date(Date.now() + hour).toISOString(), used_until: null };
  const replaced = (endedAt: number) => {
    const ended = { used_until: new Date(endedAt).toISOString() };
    const { creators, storage_keys, trees } = good.issuer;
    return {
      creators: [
        ...creators.map((one) => ({ ...one, ...ended })),
        { public_key: address(), ...newer },
      ],
      storage_keys: [
        ...storage_keys.map((one) => ({ ...one, ...ended })),
        { public_key: address(), ...newer },
      ],
      trees: [...trees.map((one) => ({ ...one, ...ended })), { address: address(), ...newer }],
    };
  };
  expect(failing({}, { issuer: replaced(Date.now() + hour) })).toEqual([]);
  expect(failing({}, { issuer: replaced(Date.now() - hour) })).toEqual([
    'storage_key_ours',
    'creator_ours',
    'tree_ours',
  ]);
});

test('a proof that was saved before the issuer moved is no forgery', () => {
  const moved = { ...document, issuer_url: 'https://old.example/.well-known/quittance.json' };
  const evidence = evidenceOfProof({ document: moved, issuer: good.issuer, seen: seen() });
  expect(verdictOf(checkProof({ document: moved, evidence }))).toBe('could not be checked');
});

test('a file that another key signed and uploaded fails on the key', () => {
  const item = itemOf(makeKey(), good.image.bytes, 'image/png');
  const image = {
    ...document.image,
    item: Buffer.from(fileOf({ bytes: item.data, item }).raw).toString('base64'),
  };
  expect(
    failing({ image: { ...image, item_id: item.id, uri: `https://g.example/${item.id}` } }),
  ).toEqual(['image_named', 'storage_key_ours']);
});

test('a gateway that serves other bytes, or none, is no witness against a signed file', () => {
  const { metadata, image } = good;
  const other = Buffer.from('{}');
  expect(failing({}, { served: { metadata: other, image: image.bytes } })).toEqual([
    'metadata_served',
  ]);
  expect(failing({}, { served: { metadata: other, image: null } })).toEqual([
    'metadata_served',
    'image_served',
  ]);
  const evidence = evidenceOfProof({ document, issuer: good.issuer, seen: seen() });
  const served = { metadata: other, image: null };
  expect(verdictOf(checkProof({ document, evidence, served }))).toBe('could not be checked');
  expect(failing({}, { served: { metadata: metadata.bytes, image: image.bytes } })).toEqual([]);
});
