import { describe, expect, it } from 'vitest';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { findByMemo } from './find-qualifying';

const A = 'QT000000000000000000';
const B = 'QT111111111111111111';
const T0 = Date.UTC(2026, 10, 28, 12);

const line = (signature: string, o: Partial<SignatureLine> = {}): SignatureLine => ({
  signature,
  slot: 1n,
  failed: false,
  final: true,
  blockIndex: null,
  memo: null,
  blockTime: new Date(T0),
  ...o,
});

/** Gives the pages in order and notes what was asked. */
function history(...pages: SignatureLine[][]) {
  const asked: (string | undefined)[] = [];
  return {
    asked,
    rpc: {
      getSignaturesForAddress: async (_: string, { before }: { before?: string } = {}) => {
        asked.push(before);
        return pages[asked.length - 1] ?? [];
      },
    },
  };
}
const find = async (rpc: ReturnType<typeof history>['rpc'], quoteId = A) =>
  (await findByMemo(rpc, { account: 'till', quoteId, since: new Date(T0 - 1_000) })).map(
    ({ signature }) => signature,
  );

describe('finding payments by their memo', () => {
  it('finds a quote among several memos of one transaction', async () => {
    const { rpc } = history([line('one', { memo: `[5] hello; [20] ${A}` })]);
    expect(await find(rpc)).toEqual(['one']);
  });

  it('passes over failed transactions and quotes that were not asked for', async () => {
    const other = 'QT222222222222222222';
    const { rpc } = history([
      line('failed', { memo: `[20] ${A}`, failed: true }),
      line('other', { memo: `[20] ${other}` }),
      line('near', { memo: `[21] ${A}X` }),
    ]);
    expect(await find(rpc)).toEqual([]);
  });

  it('gives all with the memo, the earliest first, because only some of them may qualify', async () => {
    const { rpc } = history([
      line('later', { memo: `[20] ${A}` }),
      line('earlier', { memo: `[20] ${A}` }),
    ]);
    expect(await find(rpc)).toEqual(['earlier', 'later']);
  });

  it('reads on page by page, back to the instant that was named and no further', async () => {
    const old = line('old', { blockTime: new Date(T0 - 60_000), memo: `[20] ${B}` });
    const { rpc, asked } = history([line('new')], [old], [line('never')]);
    expect(await find(rpc, B)).toEqual(['old']);
    expect(asked).toEqual([undefined, 'new']);
  });

  it('reads as many pages as there are: a stranger can fill any number of them', async () => {
    const dust = Array.from({ length: 60 }, (_, n) => [line(`dust ${n}`, { memo: `[20] ${A}` })]);
    const { rpc } = history(...dust, [line('paid', { memo: `[20] ${A}` })], []);
    const found = await find(rpc);
    expect([found.length, found[0]]).toEqual([61, 'paid']);
  });

  it('ends at a node that takes too long, and gives what a slow last page completes', async () => {
    const slow = (pages: SignatureLine[][]) => {
      const { rpc } = history(...pages);
      const since = new Date(T0 - 1_000);
      return findByMemo(rpc, { account: 'till', quoteId: A, since, mostMs: -1 });
    };
    await expect(slow([[line('one')], [line('two')], []])).rejects.toThrow('too long');
    expect(await slow([[]])).toEqual([]);
  });

  it('ends at a node that gives its newest page again and again, also while it grows', async () => {
    const { rpc } = history(...Array.from({ length: 9 }, () => [line('same')]));
    await expect(find(rpc)).rejects.toThrow(RpcUnavailable);
    const grows = history(
      ...Array.from({ length: 9 }, (_, n) => [line(`${n}`, { slot: BigInt(n) })]),
    );
    await expect(find(grows.rpc)).rejects.toThrow(RpcUnavailable);
  });
});
