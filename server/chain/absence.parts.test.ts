import bs58 from 'bs58';
import { afterEach, describe, expect, it } from 'vitest';
import { lookForDropped } from './absence';
import { createRpc } from './rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { answerBy, fakeLedger, type FakeLedger } from '../../tests/harness/chain/fake-ledger';
import { httpStatus, startFakeNode, type FakeNode } from '../../tests/harness/chain/fake-node';

const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
/** One life of a blockhash after slot 1000, and what forks may differ in height. */
const END = 1000 + 150 + 64;
const open: FakeNode[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

type Ledger = FakeLedger | 'down' | 'refuses';

async function nodesOf(...ledgers: Ledger[]): Promise<FakeNode[]> {
  const nodes = await Promise.all(ledgers.map((one) => startFakeNode(answerOf(one))));
  open.push(...nodes);
  return nodes;
}
function answerOf(ledger: Ledger) {
  if (ledger === 'down') return () => httpStatus(500);
  if (ledger === 'refuses') return () => ({ error: { code: -32099, message: 'not today' } });
  return answerBy(ledger);
}
const looker = async (...ledgers: Ledger[]) => {
  const urls = (await nodesOf(...ledgers)).map(({ url }) => url);
  const rpc = createRpc({ urls, timeoutMs: 2_000 });
  return () => lookForDropped({ rpc, signature: SIGNATURE, seenSlot: 1000n });
};
const look = async (...ledgers: Ledger[]) => (await looker(...ledgers))();
/** Polls until there is a result. One poll reads blocks for some seconds at most. */
async function lookToTheEnd(...ledgers: Ledger[]) {
  const again = await looker(...ledgers);
  for (let looks = 0; looks < 5; looks += 1) {
    const seen = await again();
    if (seen.state !== 'open') return seen;
  }
  return again();
}
const whole = (changes: Partial<FakeLedger> = {}) => fakeLedger({ tip: END + 1, ...changes });
const status = (confirmationStatus: string) => ({ slot: 9, err: null, confirmationStatus });

describe('a transaction seen in slot 1000', () => {
  it('is dropped when every node has read all blocks in which it could land', async () => {
    expect(await lookToTheEnd(whole())).toEqual({ state: 'gone' });
    expect(await lookToTheEnd(whole(), whole({ tip: 9999 }))).toEqual({ state: 'gone' });
    const skipped = new Set([851, 1000, 1001, 1002, 1100]);
    expect(await lookToTheEnd(whole({ tip: END + 10, skipped }))).toEqual({ state: 'gone' });
  });

  it('is not dropped while it might still land, or while one node knows it or lags', async () => {
    expect(await look(whole({ tip: END }))).toEqual({ state: 'open' });
    expect(await look(whole(), whole({ status: status('processed') }))).toEqual({ state: 'open' });
    expect(await look(whole(), whole({ tip: 1001 }))).toEqual({ state: 'open' });
  });

  it('is undecided when one node says finally that it failed, long after, and no other says so', async () => {
    const failed = (tip: number) =>
      whole({ tip, status: { ...status('finalized'), err: 'Custom' } });
    expect(await lookToTheEnd(failed(9999), whole())).toMatchObject({ state: 'undecided' });
    expect(await look(failed(1005), whole())).toEqual({ state: 'open' });
    expect(await look(failed(1400), whole({ tip: END }))).toEqual({ state: 'open' });
  });

  it('is not dropped because of a machine that is behind the one that reported the slot', async () => {
    expect(await look(whole({ seenSlot: END }))).toEqual({ state: 'open' });
  });

  it('is not dropped while one node does not answer or refuses: undecided once its time is over', async () => {
    for (const mute of ['down', 'refuses'] as const) {
      expect(await lookToTheEnd(whole(), mute)).toMatchObject({ state: 'undecided' });
      expect(await look(whole({ tip: END }), mute)).toEqual({ state: 'open' });
      expect(await lookToTheEnd(whole(), whole(), mute)).toEqual({ state: 'gone' });
    }
    await expect(look('refuses', 'down')).rejects.toThrow(RpcUnavailable);
  });

  it('is not kept open by a node that stands still, with any status', async () => {
    const current = whole({ tip: 1400 });
    const frozen = [
      whole({ tip: 1050 }),
      whole({ tip: 1050, status: status('processed') }),
      whole({ tip: 1050, status: status('confirmed') }),
    ];
    for (const still of frozen) {
      const seen = await lookToTheEnd(current, still);
      expect(seen).toMatchObject({ state: 'undecided' });
      expect(await lookToTheEnd(current, still, current)).toEqual({ state: 'gone' });
      // By 300 blocks a node may lag.
      const late = { ...still, tip: 1100, seenSlot: 1132 };
      expect(await look(current, late)).toEqual({ state: 'open' });
    }
    expect(await look(current, whole({ tip: 1050, status: status('finalized') }))).toEqual({
      state: 'open',
    });
  });

  it.each([850, 1000, 1001, END - 100])(
    'is undecided when the node lacks the block of slot %i and calls it skipped',
    async (slot) => {
      const seen = await lookToTheEnd(whole({ tip: END + 10, lacks: new Set([slot]) }));
      expect(seen).toMatchObject({ state: 'undecided' });
    },
  );

  it('is not dropped when a block holds it, with any status', async () => {
    for (const slot of [851, 1005, END - 100]) {
      const holds = new Map([[slot, [{ signature: SIGNATURE }]]]);
      expect(await look(whole({ tip: END + 100, holds }))).toEqual({ state: 'open' });
    }
  });
});
