import { beforeEach, expect, it, vi } from 'vitest';
import { createRpc } from '@/server/chain/rpc';
import { startFakeNode } from '@/server/chain/testing/fake-node';
import { ServiceError } from '@/server/errors';
import { meterRpc } from './meter-rpc';

const store = vi.hoisted(() => ({ points: 0, most: 3 }));
vi.mock('@/server/limit-store', () => {
  const take = async ({ points }: { points: number }) => {
    store.points += points;
    const { most } = store;
    return { isOver: store.points > most, most, left: 0, resetMs: 1_000 };
  };
  return { takePoints: take, chargePoints: take };
});
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
