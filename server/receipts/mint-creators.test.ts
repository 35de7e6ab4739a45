import {
  getLeafSchemaSerializer,
  getMintV2InstructionDataSerializer,
} from '@metaplex-foundation/mpl-bubblegum';
import { publicKey } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { beforeAll, expect, test } from 'vitest';
import { decodeLeafEvents, leafHash, type Leaf } from '@quittance/verify/nft/leaf';
import {
  BUBBLEGUM_PROGRAM,
  COMPRESSION_PROGRAM,
  NOOP_PROGRAM,
} from '@quittance/verify/nft/programs';
import { trusted } from '@/server/trusted';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import { makeEvidence, makeKey } from './evidence.fixture';

type Instruction = { programIdIndex: number; accounts: number[]; data: string };
type MintTransaction = {
  transaction: { message: { accountKeys: string[]; instructions: Instruction[] } };
  meta: { innerInstructions: { instructions: Instruction[] }[] };
};

let good: ReceiptEvidence;
beforeAll(async () => {
  good = await makeEvidence();
});

/** Ids of the lines that do not hold with another mint transaction. */
function failing(mintTransaction: MintTransaction): string[] {
  const lines = checkReceipt({ ...good, mintTransaction });
  return lines.filter(({ outcome }) => outcome !== 'held').map(({ id }) => id);
}

/** A copy of the mint transaction in which `edit` gives each instruction its data. */
function edited(edit: (program: string, data: Buffer) => Uint8Array): MintTransaction {
  const copy = trusted<MintTransaction>(
    structuredClone(good.mintTransaction),
    'the chain of the fixture encoded it',
  );
  const { accountKeys, instructions } = copy.transaction.message;
  const inner = copy.meta.innerInstructions.flatMap((group) => group.instructions);
  for (const one of [...instructions, ...inner]) {
    const data = Buffer.from(bs58.decode(one.data));
    one.data = bs58.encode(edit(accountKeys[one.programIdIndex] ?? '', data));
  }
  return copy;
}

/** As if the program had written another leaf: in its log, with its hash, and into the tree. */
function withLeaf(change: Partial<Leaf>): MintTransaction {
  const [event] = decodeLeafEvents(good.mintTransaction);
  if (!event) throw new Error('the mint transaction of the fixture has no leaf');
  const leaf = { ...event, ...change };
  const appended = Buffer.from(bs58.decode(event.hash));
  const hash = bs58.decode(leafHash(leaf));
  const schema = getLeafSchemaSerializer().serialize({
    __kind: 'V2',
    id: publicKey(leaf.assetId),
    owner: publicKey(leaf.owner),
    delegate: publicKey(leaf.delegate),
    nonce: leaf.nonce,
    flags: leaf.flags,
    dataHash: bs58.decode(leaf.dataHash),
    creatorHash: bs58.decode(leaf.creatorHash),
    collectionHash: bs58.decode(leaf.collectionHash),
    assetDataHash: bs58.decode(leaf.assetDataHash),
  });
  return edited((program, data) => {
    if (program === NOOP_PROGRAM && data.length === 274)
      return Buffer.concat([data.subarray(0, 8), schema, hash]);
    const isAppend = program === COMPRESSION_PROGRAM && data.includes(appended);
    return isAppend ? Buffer.concat([data.subarray(0, 8), hash, data.subarray(40)]) : data;
  });
}

test('a creator that is named and did not sign is nobody’s word', () => {
  const serializer = getMintV2InstructionDataSerializer();
  const unsigned = edited((program, data) => {
    if (program !== BUBBLEGUM_PROGRAM) return data;
    const [{ metadata, assetData, assetDataSchema }] = serializer.deserialize(data);
    const creators = metadata.creators.map((creator) => ({ ...creator, verified: false }));
    return serializer.serialize({
      metadata: { ...metadata, creators },
      assetData,
      assetDataSchema,
    });
  });
  expect(failing(unsigned)).toEqual(['creator_ours']);
});

test('the leaf as it is, rebuilt by this test, holds in every line', () => {
  expect(failing(withLeaf({}))).toEqual([]);
});

test.each(['dataHash', 'creatorHash', 'collectionHash'] as const)(
  'a leaf with another %s is not the one of this metadata, and does not lead to the root',
  (name) => {
    expect(failing(withLeaf({ [name]: makeKey().publicKey }))).toEqual([
      'leaf_computed',
      'leaf_proven',
      'holder_now',
    ]);
  },
);

/** The mint transaction as if it had minted into the collection of account 0, and that account's address. */
function intoCollection(): { mint: MintTransaction; address: string } {
  const mint = edited((_, data) => data);
  const { accountKeys, instructions } = mint.transaction.message;
  const AT_COLLECTION = 7;
  for (const { programIdIndex, accounts } of instructions)
    if (accountKeys[programIdIndex] === BUBBLEGUM_PROGRAM) accounts[AT_COLLECTION] = 0;
  return { mint, address: accountKeys[0] ?? '' };
}

test('a collection of somebody else is not one of the issuer', () => {
  expect(failing(intoCollection().mint)).toEqual(['leaf_computed', 'collection_ours']);
});

test.each([
  ['of receipts', {}, true],
  ['of no kind on record', { holds: null }, true],
  ['of statements', { holds: 'statement' }, false],
  ['that was retired before', { used_until: '2026-01-01T00:00:00.000Z' }, false],
] as const)('a collection of the issuer %s: %o holds %s', (_what, change, held) => {
  const { mint, address } = intoCollection();
  const used = { used_from: '2025-01-01T00:00:00.000Z', used_until: null };
  const one = { address, ...used, kind: 'standard', holds: 'receipt', ...change };
  const issuer = { ...good.issuer, collections: [one] };
  const lines = checkReceipt({ ...good, issuer, mintTransaction: mint });
  expect(lines.find(({ id }) => id === 'collection_ours')?.outcome).toBe(held ? 'held' : 'failed');
});
