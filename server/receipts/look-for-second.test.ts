import { beforeAll, expect, test } from 'vitest';
import { readNode } from '@quittance/verify/chain/read-node';
import { readWholeTree } from '@quittance/verify/nft/follow-leaf';
import { decodeLeafEvents, type LeafEvent } from '@quittance/verify/nft/leaf';
import { type FetchStored, lookForSecond } from '@quittance/verify/receipts/look-for-second';
import type { HistoryReader } from '@quittance/verify/chain/chain-reader';
import { parseItem } from '@quittance/verify/storage/item-format';
import { signByHand } from '@/server/storage/sign-by-hand.fixture';
import { describeReceipt } from './describe-receipt';
import { issueReceipt, makeKey, onChain } from './evidence.fixture';
import { makeFacts } from './facts.fixture';

/** A second receipt of the same transaction, signed in the way of the service. */
const facts = makeFacts();
const again = signByHand({
  key: makeKey(),
  data: describeReceipt(facts, 'https://gateway.example/x'),
  contentType: 'application/json',
  tags: [],
  anchorSeed: 'receipt:third:metadata:v1',
});

let leaves: LeafEvent[];
/** The live chain's answers, to be asked when it has ended. */
let rpc: HistoryReader;
beforeAll(() =>
  onChain(async (rpcUrl) => {
    const good = await issueReceipt(rpcUrl, { third: again.id });
    const live = readNode(rpcUrl);
    const tree = good.tree.address;
    const whole = await readWholeTree({ rpc: live, tree });
    if ('why' in whole) throw new Error(whole.why);
    leaves = whole.transactions.flatMap((raw) => decodeLeafEvents(raw));
    leaves.sort((a, b) => Number(a.leafIndex - b.leafIndex));
    const lines = await live.getSignaturesForAddress(tree, {});
    const account = await live.getAccountInfo(tree);
    const raw = new Map(
      await Promise.all(
        lines.map(
          async ({ signature }) =>
            [signature, await live.getTransaction(signature, 'confirmed')] as const,
        ),
      ),
    );
    rpc = {
      getSignaturesForAddress: (_, { before }) => Promise.resolve(before ? [] : lines),
      getTransaction: (signature) => Promise.resolve(raw.get(signature) ?? null),
      getAccountInfo: () => Promise.resolve(account),
      getSignatureStatuses: () => Promise.resolve([]),
    };
  }),
);

/** The second receipt in the form of a gateway. */
function serve(data: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes): FetchStored {
  const item = parseItem(again.raw);
  if (!item) throw new Error('a signed item cannot be read');
  const about = {
    address: again.owner,
    signature: Buffer.from(item.signature).toString('base64url'),
    tags: item.tags,
  };
  const stored = new Map([
    [again.id, data(item.data)],
    [`tx/${again.id}`, Buffer.from(JSON.stringify(about))],
  ]);
  return (path) => Promise.resolve(stored.get(path) ?? null);
}
/** The first NFT of the tree, whose owner has the third as well; the second is that of the payer. */
function look(o: { txSignature?: string; fetchStored?: FetchStored | null; rpc?: HistoryReader }) {
  const [leaf] = leaves;
  if (!leaf) throw new Error('the tree has no leaf');
  const { txSignature = facts.txSignature, fetchStored = serve() } = o;
  return lookForSecond({ rpc: o.rpc ?? rpc, trees: [leaf.tree], leaf, txSignature, fetchStored });
}

test('a second receipt of the same transaction is not genuine', async () => {
  expect(await look({})).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('Receipt of a third'),
  });
  expect(await look({ txSignature: 'another' })).toMatchObject({ outcome: 'held' });
});

test('a second NFT of the same file or name is not genuine, without any gateway', async () => {
  const [first, second] = leaves;
  if (!first || !second) throw new Error('the tree has three leaves');
  const twin = { ...first, assetId: makeKey().publicKey };
  const given = { rpc, trees: [first.tree], leaf: twin, txSignature: '', fetchStored: null };
  expect(await lookForSecond(given)).toMatchObject({ outcome: 'failed' });
});

test('unsigned files and an incomplete history decide nothing', async () => {
  const flipped = (bytes: Uint8Array) =>
    Uint8Array.from(bytes, (byte, at) => (at === 9 ? 1 : byte));
  expect(await look({ fetchStored: null })).toMatchObject({ outcome: 'unknown' });
  expect(await look({ fetchStored: () => Promise.resolve(null) })).toMatchObject({
    outcome: 'unknown',
  });
  expect(await look({ fetchStored: serve(flipped) })).toMatchObject({ outcome: 'unknown' });
  const short: HistoryReader = {
    ...rpc,
    getSignaturesForAddress: async (address, o) =>
      (await rpc.getSignaturesForAddress(address, o)).slice(1),
  };
  expect(await look({ rpc: short })).toMatchObject({ outcome: 'unknown' });
});
