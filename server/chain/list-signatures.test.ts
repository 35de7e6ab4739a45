import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Period, recentHistories, searchSignatures } from './list-signatures';
import type { Rpc } from './rpc';
import { PAGE, type SignatureLine } from '@quittance/verify/chain/rpc-schemas';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-01T00:00:00Z');
const days = (from: number, until: number): Period => ({
  from: new Date(START + from * DAY_MS),
  until: new Date(START + until * DAY_MS),
});

/** One transaction a day from the start on, newest first, in the order that nodes return. */
function line(day: number, final = true): SignatureLine {
  const signature = bs58.encode(createHash('sha512').update(`day ${day}`).digest());
  const blockTime = new Date(START + day * DAY_MS + 1);
  return {
    signature,
    slot: BigInt(day),
    blockTime,
    failed: false,
    final,
    blockIndex: null,
    memo: null,
  };
}
const month = (last: number) => Array.from({ length: last + 1 }, (_, n) => line(last - n));

let history: SignatureLine[];
/** Whether the node is behind, and knows nothing of what it is asked to stop at. */
let isBehind: boolean;
let asked: { before?: string; until?: string }[];
let rpc: Rpc;
beforeEach(() => {
  [history, isBehind, asked] = [month(9), false, []];
  const getSignaturesForAddress: Rpc['getSignaturesForAddress'] = (_, o = {}) => {
    asked.push(o);
    const at = (wanted: string) => history.findIndex(({ signature }) => signature === wanted);
    const start = o.before === undefined ? 0 : at(o.before) + 1;
    const end = o.until === undefined || isBehind ? history.length : at(o.until);
    return Promise.resolve(history.slice(start, Math.min(end, start + PAGE)));
  };
  rpc = { calls: new Map(), getSignaturesForAddress } as unknown as Rpc;
});

async function find(period: Period): Promise<number[]> {
  asked = [];
  const search = searchSignatures({ rpc, accounts: ['account'], period });
  while (!search.isDone()) await search.step();
  return [...search.found.values()].map(({ slot }) => Number(slot)).sort((a, b) => b - a);
}
const daysDown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => from - n);

describe('a history that was read before', () => {
  it('is asked only for newer transactions', async () => {
    expect(await find(days(0, 30))).toEqual(daysDown(9, 0));
    expect(asked).toHaveLength(2);
    history = month(12);
    expect(await find(days(0, 30))).toEqual(daysDown(12, 0));
    expect(asked).toEqual([{ until: line(9).signature }]);
    expect(await find(days(0, 30))).toEqual(daysDown(12, 0));
    expect(asked).toEqual([{ until: line(12).signature }]);
  });

  it('is read further back for an earlier period, and then known up to there', async () => {
    // Its first page ends at day 200.
    history = month(PAGE + 199);
    const newest = { until: line(PAGE + 199).signature };
    expect(await find(days(500, 2_000))).toEqual(daysDown(PAGE + 199, 500));
    expect(await find(days(100, 2_000))).toEqual(daysDown(PAGE + 199, 100));
    expect(asked).toEqual([newest, { before: line(200).signature }]);
    expect(await find(days(100, 103))).toEqual([102, 101, 100]);
    expect(asked).toEqual([newest]);
  });

  it('keeps nothing that may still vanish', async () => {
    history = [line(11, false), line(10, false), ...month(9)];
    expect(await find(days(0, 30))).toEqual(daysDown(11, 0));
    history = [line(12), ...month(9)];
    expect(await find(days(0, 30))).toEqual([12, ...daysDown(9, 0)]);
  });

  it('is returned only once by a node that is behind, for any number of requests', async () => {
    await find(days(0, 30));
    [history, isBehind] = [month(7), true];
    for (let n = 0; n < 3; n += 1) expect(await find(days(0, 30))).toEqual(daysDown(9, 0));
    expect(recentHistories(rpc).get('account')?.lines).toHaveLength(10);
    [history, isBehind] = [month(10), false];
    expect(await find(days(0, 30))).toEqual(daysDown(10, 0));
  });

  it('is not used where more new transactions exist than one answer holds', async () => {
    await find(days(0, 30));
    const many = Array.from({ length: PAGE + 500 }, (_, n) => ({
      ...line(10),
      signature: bs58.encode(createHash('sha512').update(`many ${n}`).digest()),
    }));
    history = [...many, ...month(9)];
    const search = searchSignatures({ rpc, accounts: ['account'], period: days(0, 30) });
    while (!search.isDone()) await search.step();
    expect(search.found.size).toBe(PAGE + 510);
  });
});
