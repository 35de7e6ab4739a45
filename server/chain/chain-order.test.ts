import { describe, expect, it } from 'vitest';
import { inChainOrder, type Placed } from './chain-order';

function blocksOf(blocks: ReadonlyMap<bigint, readonly string[]>) {
  const asked: bigint[] = [];
  return {
    asked,
    getBlock: (slot: bigint) => {
      asked.push(slot);
      const signatures = blocks.get(slot);
      const links = { height: 1n, blockhash: '', parentSlot: 0n, previousBlockhash: '' };
      return Promise.resolve(signatures ? { ...links, signatures } : null);
    },
  };
}
const order = async (rpc: ReturnType<typeof blocksOf>, list: readonly Placed[]) =>
  (await inChainOrder(rpc, list)).map(({ signature }) => signature);

describe('the order of the chain', () => {
  it('is by slot, then by the position from a node, never by signature', async () => {
    const rpc = blocksOf(new Map());
    const list = [
      { signature: 'a', slot: 2n, blockIndex: 0 },
      { signature: 'b', slot: 1n, blockIndex: 10 },
      { signature: 'c', slot: 1n, blockIndex: 9 },
    ];
    expect(await order(rpc, list)).toEqual(['c', 'b', 'a']);
    expect(rpc.asked).toEqual([]);
  });

  it('asks for a block only where two transactions are in it and a position is missing', async () => {
    const rpc = blocksOf(new Map([[7n, ['z', 'x', 'y']]]));
    const list = [
      { signature: 'x', slot: 7n },
      { signature: 'z', slot: 7n },
      { signature: 'alone', slot: 8n },
      { signature: 'p', slot: 9n, blockIndex: 2 },
      { signature: 'q', slot: 9n, blockIndex: 1 },
    ];
    expect(await order(rpc, list)).toEqual(['z', 'x', 'alone', 'q', 'p']);
    expect(rpc.asked).toEqual([7n]);
  });

  it('puts what is in a block that no node gives last in its slot, by signature', async () => {
    const rpc = blocksOf(new Map());
    const list = [
      { signature: 'n', slot: 7n },
      { signature: 'm', slot: 7n },
      { signature: 'o', slot: 7n, blockIndex: 3 },
    ];
    expect(await order(rpc, list)).toEqual(['o', 'm', 'n']);
  });

  it('fails when no node answers, and guesses nothing', async () => {
    const rpc = { getBlock: () => Promise.reject(new Error('down')) };
    const list = [
      { signature: 'm', slot: 7n },
      { signature: 'n', slot: 7n },
    ];
    await expect(inChainOrder(rpc, list)).rejects.toThrow('down');
  });
});
