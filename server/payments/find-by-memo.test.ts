import { describe, expect, it } from 'vitest';
import type { SignatureLine } from '@/server/chain/rpc-schemas';
import { findByMemo } from './find-by-memo';

const A = 'QT000000000000000000';
const B = 'QT111111111111111111';
const T0 = Date.UTC(2026, 10, 28, 12);

const line = (signature: string, o: Partial<SignatureLine> = {}): SignatureLine => ({
  signature,
  ...{
    slot: 1n,
    failed: false,
    final: true,
    blockIndex: null,
    memo: null,
    blockTime: new Date(T0),
  },
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
const find = (rpc: ReturnType<typeof history>['rpc'], since = T0 - 1_000) =>
  findByMemo(rpc, { account: 'till', quoteIds: [A, B], since: new Date(since) });

describe('finding payments by their memo', () => {
  it('finds a quote among several memos of one transaction', async () => {
    const { rpc } = history([line('one', { memo: `[5] hello; [20] ${A}` })]);
    expect([...(await find(rpc))]).toEqual([[A, 'one']]);
  });

  it('passes over failed transactions and quotes that were not asked for', async () => {
    const other = 'QT222222222222222222';
    const { rpc } = history([
      line('failed', { memo: `[20] ${A}`, failed: true }),
      line('other', { memo: `[20] ${other}` }),
      line('near', { memo: `[21] ${A}X` }),
    ]);
    expect([...(await find(rpc))]).toEqual([]);
  });

  it('takes the earliest of two payments of one quote', async () => {
    const { rpc } = history([
      line('later', { memo: `[20] ${A}` }),
      line('earlier', { memo: `[20] ${A}` }),
    ]);
    expect((await find(rpc)).get(A)).toBe('earlier');
  });

  it('reads on page by page, back to the instant that was named and no further', async () => {
    const old = line('old', { blockTime: new Date(T0 - 60_000), memo: `[20] ${B}` });
    const { rpc, asked } = history([line('new')], [old], [line('never')]);
    expect((await find(rpc)).get(B)).toBe('old');
    expect(asked).toEqual([undefined, 'new']);
  });
});
