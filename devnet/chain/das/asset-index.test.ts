import { publicKey } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { beforeAll, expect, test } from 'vitest';
import { encodeChangeLogEvent, encodeLeaf, encodeLeafEvent } from '@/devnet/chain/bubblegum/events';
import { discriminator } from '@/devnet/chain/bubblegum/instruction';
import { BUBBLEGUM, NOOP } from '@/devnet/chain/bubblegum/program-ids';
import { replayVectors } from '@/devnet/chain/bubblegum/vectors/replay-vectors';
import type { TxRecord } from '@/devnet/chain/emulator';
import { createDas, type Ledger } from './create-das';

/*
 * Instructions other than mints run only with the real programs. Their events are made here for a
 * minted asset, in the format of mint events.
 */
const NEW_OWNER = publicKey('9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu');

let mint: TxRecord;
beforeAll(() => {
  replayVectors((_chain, step, record) => {
    if (step.name === 'mint A0') mint = record;
  });
});

test('a transfer changes the owner, a burn the state, and both are among the signatures', async () => {
  const { ledger, methods } = open();
  const [asset] = await owned(methods, { sortBy: { sortBy: 'created' } });
  const id = asset?.id ?? '';
  const leaf = {
    __kind: 'V2' as const,
    id: publicKey(id),
    owner: NEW_OWNER,
    delegate: NEW_OWNER,
    nonce: 0n,
    dataHash: new Uint8Array(32).fill(1),
    creatorHash: new Uint8Array(32).fill(2),
    collectionHash: new Uint8Array(32).fill(3),
    assetDataHash: new Uint8Array(32).fill(4),
    flags: 0,
  };
  const { bytes, leafHash } = encodeLeaf(leaf);
  const tree = asset?.compression.tree ?? '';
  const change = (node: Uint8Array, sequence: bigint) =>
    encodeChangeLogEvent(tree, { path: path(node), sequence, leafIndex: 0 });
  const land = (record: TxRecord) => ledger.onTx.forEach((hear) => hear(record));

  land(later('transfer_v2', 'T', [encodeLeafEvent(bytes, leafHash), change(leafHash, 2n)]));
  expect(await methods.getAsset?.({ id })).toMatchObject({
    ownership: { owner: NEW_OWNER },
    compression: { asset_hash: bs58.encode(leafHash), seq: 2 },
    content: asset?.content,
  });
  expect(await methods.getAssetsByOwner?.({ ownerAddress: NEW_OWNER })).toMatchObject({ total: 1 });

  land(later('burn_v2', 'B', [change(new Uint8Array(32), 3n)]));
  expect(await methods.getAsset?.({ id })).toMatchObject({ burnt: true });
  expect(await methods.getAssetsByOwner?.({ ownerAddress: NEW_OWNER })).toMatchObject({ total: 0 });
  expect(await methods.searchAssets?.({ burnt: true })).toMatchObject({ total: 1 });
  expect(await methods.getAssetSignatures?.({ id })).toMatchObject({
    items: [
      ['B', 'BurnV2'],
      ['T', 'TransferV2'],
      [mint.signature, 'MintV2'],
    ],
  });
});

test('noop data of other programs and of failed transactions is not indexed', async () => {
  const event = (data: Uint8Array) => later('mint_v2', 'X', [data]);
  const failed = { ...mint, signature: 'F', meta: { ...mint.meta, err: 'AccountInUse' } };
  const { methods } = open([event(Uint8Array.of(9, 9, 9)), event(new Uint8Array()), failed]);
  const [asset] = await owned(methods, {});
  expect(await methods.searchAssets?.({})).toMatchObject({ total: 1 });
  expect(await methods.getAssetSignatures?.({ id: asset?.id })).toMatchObject({
    items: [[mint.signature, 'MintV2']],
  });
  const foreign = {
    ...mint,
    signature: 'G',
    keys: mint.keys.map((key) => (key === BUBBLEGUM ? NOOP : key)),
  };
  const other = createDas({ bySlotOrder: [foreign], onTx: [], onVanish: [] }).methods;
  expect(await other.searchAssets?.({})).toMatchObject({ total: 0 });
});

function open(more: TxRecord[] = []) {
  const ledger: Ledger = { bySlotOrder: [mint, ...more], onTx: [], onVanish: [] };
  return { ledger, methods: createDas(ledger).methods };
}

type Shown = { id: string; compression: { tree: string }; content: object };

async function owned(methods: ReturnType<typeof open>['methods'], params: object) {
  const answer = (await methods.searchAssets?.(params)) as { items: Shown[] };
  return answer.items;
}

/** A transaction with one Bubblegum instruction that called the noop program with this data. */
function later(instruction: string, signature: string, events: Uint8Array[]): TxRecord {
  const index = (address: string) => mint.keys.indexOf(address);
  const [only] = mint.message.compiledInstructions;
  const compiledInstructions = [
    {
      ...only,
      programIdIndex: index(BUBBLEGUM),
      data: Buffer.from(discriminator(instruction), 'hex'),
    },
  ];
  const instructions = events.map((data) => ({
    programIdIndex: index(NOOP),
    accounts: [],
    data,
    stackHeight: 2,
  }));
  return {
    ...mint,
    signature,
    message: { compiledInstructions } as unknown as TxRecord['message'],
    meta: { ...mint.meta, innerInstructions: [{ index: 0, instructions }] },
  };
}

/** A path from a leaf up a tree of depth 3. The nodes above do not matter here. */
function path(leaf: Uint8Array) {
  const above = new Uint8Array(32).fill(7);
  return [8, 4, 2, 1].map((index, i) => ({ node: i === 0 ? leaf : above, index }));
}
