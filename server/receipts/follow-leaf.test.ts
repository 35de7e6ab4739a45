import bs58 from 'bs58';
import { getLeafSchemaSerializer } from '@metaplex-foundation/mpl-bubblegum';
import { publicKey } from '@metaplex-foundation/umi';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HistoryReader } from '@quittance/verify/chain/chain-reader';
import { readNode } from '@quittance/verify/chain/read-node';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { followLeaf } from '@quittance/verify/nft/follow-leaf';
import { leafHash, type LeafEvent } from '@quittance/verify/nft/leaf';
import { COMPRESSION_PROGRAM, NOOP_PROGRAM } from '@quittance/verify/nft/programs';
import { EMPTY_LEAF, readTreeChanges } from '@quittance/verify/nft/tree-changes';
import { sinceMint } from '@quittance/verify/receipts/check-place';
import { checkReceipt } from '@quittance/verify/receipts/check-receipt';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { findLeaf } from '@quittance/verify/receipts/minted-leaf';
import { verdictOf } from '@quittance/verify/receipts/verdict';
import { issueReceipt, makeKey, onChain } from './evidence.fixture';

/** A tree's history from a node, newest first, and its account. */
type History = {
  lines: SignatureLine[];
  transactions: Map<string, RawTransaction>;
  tree: Uint8Array;
};

let good: ReceiptEvidence;
let leaf: LeafEvent;
let mintSignature: string;
let history: History;
/** The result of the verifier for the live chain. */
let followed: Awaited<ReturnType<typeof followLeaf>>;

beforeAll(() =>
  onChain(async (rpcUrl) => {
    good = await issueReceipt(rpcUrl);
    const rpc = readNode(rpcUrl);
    const found = findLeaf(good);
    if (!found) throw new Error('the fixture has no leaf');
    leaf = found;
    const lines = await rpc.getSignaturesForAddress(leaf.tree, {});
    const transactions = new Map<string, RawTransaction>();
    for (const { signature } of lines) {
      const raw = await rpc.getTransaction(signature, 'confirmed');
      if (raw) transactions.set(signature, raw);
      if (raw && findLeaf({ ...good, mintTransaction: raw })) mintSignature = signature;
    }
    const account = await rpc.getAccountInfo(leaf.tree);
    history = { lines, transactions, tree: account?.data ?? new Uint8Array() };
    followed = await followLeaf({ rpc, leaf, mintSignature });
  }),
);

function reader({ lines, transactions, tree }: History, pageSize = 1_000): HistoryReader {
  return {
    getSignaturesForAddress: (_, { before }) => {
      const from =
        before === undefined ? 0 : lines.findIndex((one) => one.signature === before) + 1;
      return Promise.resolve(lines.slice(from, from + pageSize));
    },
    getTransaction: (signature) => Promise.resolve(transactions.get(signature) ?? null),
    getSignatureStatuses: () => Promise.resolve([]),
    getAccountInfo: () =>
      Promise.resolve({
        owner: COMPRESSION_PROGRAM,
        lamports: 0n,
        data: Uint8Array.from(tree),
      }),
  };
}
const follow = (given: History, pageSize?: number) =>
  followLeaf({ rpc: reader(given, pageSize), leaf, mintSignature });

/** Tags of instructions of the compression program. */
const REPLACE_LEAF = Buffer.from('cca54c6449930080', 'hex');
const VERIFY_LEAF = Buffer.from('7cdc16df680afae0', 'hex');

/**
 * The history with one more change, in the form that the compression program logs and keeps in the
 * account.
 */
function withChange(
  given: History,
  o: { leaf: string; told?: Uint8Array; program?: string; sequenceStep?: bigint; tag?: Buffer },
): History {
  const [newest] = given.lines;
  const raw = given.transactions.get(newest?.signature ?? '');
  if (!newest || !raw) throw new Error('the history is empty');
  const data = Buffer.from(given.tree);
  const sequence = data.readBigUInt64LE(56) + 1n;
  const active = (Number(data.readBigUInt64LE(64)) + 1) % 8;
  const root = Buffer.from(bs58.decode(makeKey().publicKey));
  data.writeBigUInt64LE(sequence, 56);
  data.writeBigUInt64LE(BigInt(active), 64);
  root.copy(data, 80 + active * 136);
  const node = (hash: Uint8Array, index: number) => [
    Buffer.from(hash),
    Buffer.from([index, 0, 0, 0]),
  ];
  const u64 = Buffer.alloc(8);
  u64.writeBigUInt64LE(sequence + (o.sequenceStep ?? 0n));
  const log = Buffer.concat([
    Buffer.from([0, 0]),
    bs58.decode(leaf.tree),
    Buffer.from([4, 0, 0, 0]),
    ...node(bs58.decode(o.leaf), 8),
    ...[4, 2].flatMap((index) => node(new Uint8Array(32).fill(index), index)),
    ...node(root, 1),
    u64,
    Buffer.from([Number(leaf.leafIndex), 0, 0, 0]),
  ]);
  const call = (program: number, bytes: Uint8Array, accounts: number[] = []) => ({
    programIdIndex: program,
    accounts,
    data: bs58.encode(bytes),
  });
  const signature = bs58.encode(Buffer.concat([log, log]).subarray(0, 64));
  const transaction = {
    signatures: [signature],
    message: {
      accountKeys: [leaf.tree, o.program ?? COMPRESSION_PROGRAM, NOOP_PROGRAM, makeKey().publicKey],
      instructions: [call(3, new Uint8Array(8))],
    },
  };
  const told = o.told ? [call(2, o.told)] : [];
  const inner = [...told, call(1, o.tag ?? REPLACE_LEAF, [0]), call(2, log)];
  const meta = { ...raw.meta, err: null, fee: 0, loadedAddresses: undefined };
  const made: RawTransaction = {
    ...raw,
    transaction,
    meta: {
      ...meta,
      preBalances: [],
      postBalances: [],
      innerInstructions: [{ index: 0, instructions: inner }],
    },
  };
  return {
    lines: [{ ...newest, signature }, ...given.lines],
    transactions: new Map([...given.transactions, [signature, made]]),
    tree: data,
  };
}

/** The leaf with another owner, in the form that Bubblegum logs. */
function movedTo(owner: string): { leaf: string; told: Uint8Array } {
  const moved = { ...leaf, owner, delegate: owner };
  const bytes = getLeafSchemaSerializer().serialize({
    __kind: 'V2',
    id: publicKey(moved.assetId),
    owner: publicKey(owner),
    delegate: publicKey(owner),
    nonce: moved.nonce,
    dataHash: bs58.decode(moved.dataHash),
    creatorHash: bs58.decode(moved.creatorHash),
    collectionHash: bs58.decode(moved.collectionHash),
    assetDataHash: bs58.decode(moved.assetDataHash),
    flags: moved.flags,
  });
  const hash = leafHash(moved);
  const head = Buffer.from([1, 0, 0, 0, 0, 0, 1, 1]);
  head.writeUInt32LE(266, 2);
  return { leaf: hash, told: Buffer.concat([head, bytes, bs58.decode(hash)]) };
}

/** Verdict and holder where no index of assets answers and the tree has forgotten the root. */
function judge(given: ReceiptEvidence['history']) {
  const asset = { ...good.asset, owner: null, delegate: null };
  const lines = checkReceipt({ ...good, asset, proof: null, history: given });
  const held = lines.find(({ id }) => id === 'holder_now')?.detail;
  return [verdictOf(lines), held, sinceMint(lines)];
}

describe('without an index of assets, a leaf is followed through the changes of its tree', () => {
  test('on a live chain, to its current state', () => {
    expect(followed).toEqual({ state: 'stands', owner: leaf.owner, changes: 1 });
    expect(judge(followed)).toEqual(['genuine', `held by ${leaf.owner}`, null]);
  });

  test('to its new holder, page by page', async () => {
    const owner = makeKey().publicKey;
    const moved = await follow(withChange(history, movedTo(owner)), 1);
    expect(moved).toEqual({ state: 'moved', owner, changes: 2 });
    const held = `moved since it was minted, held by ${owner} now`;
    expect(judge(moved)).toEqual(['genuine', held, 'moved']);
  });

  test('to its end: burnt, and as genuine as before', async () => {
    const burnt = await follow(withChange(history, { leaf: EMPTY_LEAF }));
    expect(burnt).toEqual({ state: 'burnt', changes: 2 });
    expect(judge(burnt)).toEqual(['genuine', 'burnt by its holder since it was minted', 'burnt']);
  });
});

describe('nothing is concluded from a history', () => {
  const untold = async (given: History) => {
    const end = await follow(given);
    expect(end.state).toBe('untold');
    const [verdict, , since] = judge(end);
    expect([verdict, since]).toEqual(['could not be checked', null]);
  };

  test('that leaves out a change', async () => {
    const burnt = withChange(history, { leaf: EMPTY_LEAF });
    await untold({ ...burnt, lines: burnt.lines.slice(1) });
    await untold({ ...burnt, transactions: history.transactions });
    await untold(withChange(history, { leaf: EMPTY_LEAF, sequenceStep: 1n }));
  });

  test('for which the node returns other transactions than the requested ones', async () => {
    const [first, second] = [...history.transactions];
    if (!first || !second) throw new Error('the history is too short');
    const swapped = new Map([
      ...history.transactions,
      [first[0], second[1]] as const,
      [second[0], first[1]] as const,
    ]);
    await untold({ ...history, transactions: swapped });
    expect(await follow({ ...history, transactions: swapped })).toMatchObject({
      why: expect.stringContaining('another transaction'),
    });
  });

  test('that ends before the mint', async () => {
    const end = history.lines.findIndex(({ signature }) => signature === mintSignature);
    await untold({ ...history, lines: history.lines.slice(0, end) });
  });

  test('whose last change is not by the compression program', async () => {
    await untold(withChange(history, { leaf: EMPTY_LEAF, program: makeKey().publicKey }));
  });

  test('that does not show the changed leaf', async () => {
    await untold(withChange(history, { leaf: movedTo(makeKey().publicKey).leaf }));
  });
});

test('a made-up change after a call that changes no tree does not count', async () => {
  const { lines, transactions } = withChange(history, {
    leaf: EMPTY_LEAF,
    sequenceStep: -1n,
    tag: VERIFY_LEAF,
  });
  const forged = { lines, transactions, tree: history.tree };
  expect(await follow(forged)).toEqual(followed);
});

test('changes of another tree do not count', () => {
  for (const raw of history.transactions.values())
    expect(readTreeChanges(raw, makeKey().publicKey)).toEqual([]);
});
