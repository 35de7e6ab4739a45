import { describe, expect, it } from 'vitest';
import { newestSlot } from './chain-order';
import { provenTop } from './landing-margin';
import { staleReason } from './absence';
import { trusted } from '../trusted';
import type { Rpc } from './rpc';

const HUGE = 9_000_000n;

describe('the highest slot or height that can be believed', () => {
  it.each<[string, bigint[], bigint | null]>([
    ['of no node is none', [], null],
    ['of one node is its own', [HUGE], HUGE],
    ['of two that keep up is the higher one', [1_000n, 1_300n], 1_300n],
    ['of two is the higher one while the other may stand still', [1_000n, 9_000n], 9_000n],
    ['of two is the lower one where no standing still explains it', [1_000n, HUGE], 1_000n],
    ['of three needs a second one about as high', [HUGE, 1_000n, 1_002n], 1_002n],
    ['of three is the highest while they keep up', [1_000n, 1_200n, 1_001n], 1_200n],
    ['of three is that of two where one stands still', [5n, 1_001n, 1_000n], 1_001n],
  ])('%s', (_, told, expected) => {
    expect(provenTop(told)).toBe(expected);
    expect(provenTop([...told].reverse())).toBe(expected);
  });

  it('makes no honest node stale, and one that stands still is stale', () => {
    const height = 1_000n;
    expect(staleReason({ height, heights: [HUGE, height, 1_002n], due: 900n })).toBeNull();
    expect(staleReason({ height, heights: [HUGE, height] })).toBeNull();
    expect(staleReason({ height, heights: [1_301n, height] })).toContain('301 behind');
  });

  it('is what a quote notes as the newest slot', async () => {
    const slots = [HUGE, 1_000n, 1_001n];
    const rpc = trusted<Rpc>(
      { nodes: 3, onNode: (node: number) => ({ getSlot: async () => slots[node] }) },
      'nothing else is asked',
    );
    expect(await newestSlot(rpc)).toBe(1_001n);
  });
});
