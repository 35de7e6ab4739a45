import { beforeEach, expect, it } from 'vitest';
import * as limitStoreModule from '@/server/limit-store';
import { standIn } from '@/tests/harness/stand-in';
import { blockReader } from '@/server/chain/block-reader';
import { createRpc } from '@/server/chain/rpc';
import { answerBy, fakeLedger } from '@/tests/harness/chain/fake-ledger';
import { startFakeNode } from '@/tests/harness/chain/fake-node';
import { ServiceError } from '@/server/errors';
import { meterRpc } from './guard-call';

const store = { points: 0, most: 3 };
const take = async ({ points }: { points: number }) => {
  store.points += points;
  const { most } = store;
  return { isOver: store.points > most, most, left: 0, resetMs: 1_000 };
};
standIn(limitStoreModule, { takePoints: take, chargePoints: take });
beforeEach(() => {
  store.points = 0;
});

const refuse = () => new ServiceError('rate_limited', 'Too many requests.');

it('a request costs the calls it makes, is let to its end, and the next one pays for it', async () => {
  const node = await startFakeNode(() => ({ result: 7 }));
  try {
    const rpc = createRpc({ urls: [node.url], timeoutMs: 5_000 });
    const first = meterRpc(rpc, { key: 'k', refuse });
    for (let i = 0; i < 3; i += 1) await first.rpc.getSlot('confirmed');
    expect(first.rpc.takesBatches()).toBe(true);
    await first.rpc.getTransactions(['one', 'two', 'three'], 'confirmed');
    await first.rpc.onNode(0).getSlot('confirmed');
    await first.settle();
    expect([first.points(), store.points, node.calls.length]).toEqual([7, 7, 7]);
    const second = meterRpc(rpc, { key: 'k', refuse });
    await expect(second.rpc.getSlot('confirmed')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(node.calls).toHaveLength(7);
  } finally {
    await node.close();
  }
});

it('blocks that are read once for everybody cost no client, and no client’s limit stops them', async () => {
  const node = await startFakeNode(answerBy(fakeLedger({ tip: 1_200 })));
  try {
    const rpc = createRpc({ urls: [node.url], timeoutMs: 5_000 });
    const spent = meterRpc(rpc, { key: 'spent', refuse });
    store.points = store.most;
    await expect(spent.rpc.getFinalizedTip()).rejects.toMatchObject({ code: 'rate_limited' });
    const before = store.points;
    for (const one of [spent.rpc, rpc])
      expect(await blockReader(one, 0).read(1_100n)).toMatchObject({ slot: 1_100n });
    await spent.settle();
    expect(store.points).toBe(before);
    expect(node.calls.filter(({ method }) => method === 'getBlock')).toHaveLength(1);
  } finally {
    await node.close();
  }
});
