import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import bs58 from 'bs58';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchListed, listedAtOnce, SCAN_WIDTH } from './fetch-transaction';
import { createRpc, type Rpc } from './rpc';
import {
  httpStatus,
  silence,
  startFakeNode,
  type Answer,
  type FakeNode,
} from '../../tests/harness/chain/fake-node';
import { MadeTransaction } from '../../tests/harness/chain/made-transaction';

const SIGNATURES = Array.from({ length: 8 }, (_, n) =>
  bs58.encode(createHash('sha512').update(`transaction ${n}`).digest()),
);
const made = new MadeTransaction({ feePayer: 'payer' }).sendSol('payer', 'seller', 5n).raw();
const rawOf = (signature: string) => ({
  ...made,
  transaction: { ...made.transaction, signatures: [signature] },
});
const TEN_MINUTES = 600_000;

let node: FakeNode;
let now = new Date('2026-11-28T12:00:00Z');
afterEach(() => node.close());

async function over(answer: (signature: string) => Answer, timeoutMs = 2_000): Promise<Rpc> {
  node = await startFakeNode(({ params }) => answer(String(params[0])));
  return createRpc({ urls: [node.url], timeoutMs, clock: { now: () => now } });
}
const raw = (text: string): Answer => {
  return (response) => response.end(text);
};

describe('several transactions in one request', () => {
  it("are the requested ones, in any order of the node's answers", async () => {
    const [one = '', other = '', third = ''] = SIGNATURES;
    const answers = [
      { jsonrpc: '2.0', id: 2, result: rawOf(third) },
      { jsonrpc: '2.0', id: 1, error: { code: -32015, message: 'version' } },
      { jsonrpc: '2.0', id: 0, result: rawOf(one) },
    ];
    const rpc = await over(() => raw(JSON.stringify(answers)));
    const given = await rpc.getTransactions([one, other, third], 'confirmed');
    expect(given).toEqual([rawOf(one), undefined, rawOf(third)]);
    expect(rpc.calls.get('getTransaction')).toBe(3);
  });

  it('leaves out one that the node does not know, or gives in another shape', async () => {
    const results = [null, { slot: 'yesterday' }, rawOf(SIGNATURES[2] ?? '')];
    const rpc = await over((signature) => ({ result: results[SIGNATURES.indexOf(signature)] }));
    const given = await rpc.getTransactions(SIGNATURES.slice(0, 3), 'confirmed');
    expect(given).toEqual([undefined, undefined, results[2]]);
    expect(rpc.takesBatches()).toBe(true);
  });

  it.each<[string, Answer]>([
    ['too many requests', httpStatus(429)],
    ['a refusal', httpStatus(403)],
    ['one error for all', raw('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}')],
    ['one answer', raw('{"jsonrpc":"2.0","id":0,"result":null}')],
    ['a web page', raw('<html>hello</html>')],
    ['a list of something else', raw('[1, 2]')],
    ['a dropped connection', (response) => response.destroy()],
    ['silence', silence],
  ])('are not asked for again for ten minutes after %s', async (_, trouble) => {
    const rpc = await over(() => trouble, 300);
    expect(await rpc.getTransactions(SIGNATURES, 'confirmed')).toEqual(
      SIGNATURES.map(() => undefined),
    );
    expect([rpc.takesBatches(), listedAtOnce(rpc)]).toEqual([false, 1]);
    const asked = node.calls.length;
    await rpc.getTransactions(SIGNATURES, 'confirmed');
    expect(node.calls).toHaveLength(asked);
    now = new Date(now.getTime() + TEN_MINUTES);
    expect(rpc.takesBatches()).toBe(true);
  });
});

describe('transactions of a history', () => {
  it('are asked for alone where the node refuses, at most so many at once', async () => {
    let [open, most] = [0, 0];
    const rpc = await over((signature) => (response) => {
      open += 1;
      most = Math.max(most, open);
      // Long enough that all which may be open at once are, on a busy machine too.
      void sleep(200).then(() => {
        open -= 1;
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: rawOf(signature) }));
      });
    });
    // The first request is answered for one of its eight alone, which is no answer to a batch.
    const scans = await Promise.all(Array.from({ length: 5 }, () => fetchListed(rpc, SIGNATURES)));
    for (const scan of scans)
      expect(scan).toEqual(SIGNATURES.map((one) => ({ status: 'fulfilled', value: rawOf(one) })));
    expect(most).toBe(SCAN_WIDTH);
  });

  it('are asked for alone where another transaction was given for one', async () => {
    let isFirst = true;
    const rpc = await over((signature) => {
      const given = isFirst ? (SIGNATURES[1] ?? '') : signature;
      isFirst = false;
      return { result: rawOf(given) };
    });
    const scan = await fetchListed(rpc, SIGNATURES);
    expect(scan).toEqual(SIGNATURES.map((one) => ({ status: 'fulfilled', value: rawOf(one) })));
    expect(rpc.calls.get('getTransaction')).toBe(SIGNATURES.length + 1);
  });

  it('fail each for itself', async () => {
    const [first] = SIGNATURES;
    const rpc = await over((signature) =>
      signature === first ? httpStatus(503) : { result: rawOf(signature) },
    );
    const scan = await fetchListed(rpc, SIGNATURES);
    expect(scan.map(({ status }) => status)).toEqual([
      'rejected',
      ...SIGNATURES.slice(1).map(() => 'fulfilled'),
    ]);
  });
});
