import { describe, expect, it } from 'vitest';
import { newestSlot } from './chain-order';
import { provenTop } from './landing-margin';
import { staleReason } from './absence';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
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
});

describe('the newest slot, which a quote notes', () => {
  const NOW = new Date('2026-11-29T12:00:00Z');
  /** `tip`: the end of the chain on this node. The node computes the time of any block from it. */
  type Told = { slot: bigint; ageS: number | null; tip?: bigint } | 'silent';
  /** Nodes by their newest slot and the age of their last final block. */
  const newest = (...told: Told[]) => {
    const of = (node: number) => {
      const one = told[node];
      if (one === undefined || one === 'silent')
        return { getSlot: () => Promise.reject(new RpcUnavailable('silent')) };
      const { slot, ageS, tip = null } = one;
      const ageOf = (asked: bigint) =>
        ageS === null || tip === null ? ageS : ageS + Math.floor(Number(tip - asked) * 0.4);
      const getBlockTime = async (asked: bigint) => {
        const age = ageOf(asked);
        return age === null ? null : BigInt(NOW.getTime() / 1000 - age);
      };
      return { getSlot: async () => slot, getBlockTime };
    };
    const rpc = trusted<Rpc>({ nodes: told.length, onNode: of }, 'nothing else is asked');
    return newestSlot(rpc, NOW);
  };
  const honest = { slot: 100_000n, ageS: 13 };
  const liar = { slot: HUGE, ageS: 13 };
  const laggard = { slot: 90_000n, ageS: 4_000 };

  it.each<[string, Told[], bigint | null]>([
    ['of no node is none', ['silent', 'silent'], null],
    ['of one node is its own', [liar], HUGE],
    ['is the highest of nodes that keep up', [honest, { slot: 100_200n, ageS: 13 }], 100_200n],
    ['is not what one of two invents', [liar, honest], honest.slot],
    ['is not what one of three invents beside one that lags', [laggard, liar, honest], honest.slot],
    ['is not what two invent', [{ ...liar, slot: 2n * HUGE }, liar, honest], honest.slot],
  ])('%s', async (_, told, expected) => {
    expect(await newest(...told)).toBe(expected);
    expect(await newest(...[...told].reverse())).toBe(expected);
  });

  /** It returns the true time of each block. */
  const exact = { ...honest, tip: honest.slot };
  /** Far below the others, and by its word at the end of the chain. */
  const low = { slot: 90_000n, ageS: 13 };
  /** Far above, with a whole chain of its own: to it the blocks of all others are old. */
  const high = { slot: HUGE, ageS: 13, tip: HUGE };

  it.each<[string, Told[], bigint | null]>([
    ['one of two calls its old block young', [exact, low], null],
    ['one of two invents a chain above', [high, exact], null],
    ['one of three calls its old block young', [exact, low, exact], exact.slot],
    ['one of three invents a chain above', [high, exact, exact], exact.slot],
    ['one of three invents a chain above and one lags', [high, exact, laggard], null],
    ['the only one that answers of two lags', ['silent', laggard], null],
    ['the only one that answers of two says a low one', ['silent', low], null],
    ['the only one that answers of two keeps up, by its word', ['silent', honest], null],
    ['one of three is silent', ['silent', honest, exact], honest.slot],
  ])('is none or that of two where %s', async (_, told, expected) => {
    expect(await newest(...told)).toBe(expected);
    expect(await newest(...[...told].reverse())).toBe(expected);
  });

  it.each<[string, Told[]]>([
    ['one lags', [laggard]],
    ['two lag', [laggard, laggard]],
    ['one lags by so much that it might be thought of as right', [{ slot: 5n, ageS: 90_000 }]],
    ['one lags and gives no time', [{ ...laggard, ageS: null }]],
  ])(
    'is the highest where %s, so that no later quote looks older than a payment',
    async (_, told) => {
      expect(await newest(honest, ...told)).toBe(honest.slot);
      expect(await newest(...told, honest)).toBe(honest.slot);
    },
  );
});
