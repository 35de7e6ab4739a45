import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { metrics } from '@/server/metrics';
import type { Rpc } from './rpc';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { parseJson } from '@quittance/verify/chain/parse-json';
import { httpStatus, silence, type Answer } from '../../tests/harness/chain/fake-node';
import { withFakeNodes } from './testing/fake-nodes.fixture';
import { MadeTransaction } from '../../tests/harness/chain/made-transaction';

const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const raw = new MadeTransaction({ feePayer: 'payer' }).sendSol('payer', 'seller', 5n).raw();

const { nodesSaying, over } = withFakeNodes();

const found = (): Answer => ({ result: raw });
const nothing = (): Answer => ({ result: null });

async function disagreements(): Promise<number> {
  const { values } = await metrics().nodeDisagreements.get();
  return values.find(({ labels }) => labels.method === 'getTransaction')?.value ?? 0;
}

describe('a node that gives no usable answer', () => {
  it.each<[string, Answer]>([
    ['a rate limit', httpStatus(429)],
    ['a gateway error', httpStatus(502)],
    ['a refused key', httpStatus(403)],
    ['a web page', (response) => response.end('<html>hello</html>')],
    ['an empty body', (response) => response.end()],
    ['an empty object', (response) => response.end('{}')],
    ['a dropped connection', (response) => response.destroy()],
    ['half an answer', (response) => response.writeHead(200, { 'content-length': '99' }).end('{"')],
    ['a wrong shape', { result: { slot: 'yesterday' } }],
    ['a transaction without balances', { result: { ...raw, meta: {} } }],
    ['being behind', { error: { code: -32005, message: 'Node is behind' } }],
    ['a block it does not have', { error: { code: -32004, message: 'not available' } }],
    ['a status it cannot tell', { error: { code: -32014, message: 'not yet available' } }],
    ['silence', silence],
  ])('is unavailable, never "not found", and the next one is asked: %s', async (_, trouble) => {
    const [bad, good] = await nodesSaying(() => trouble, found);
    if (!bad || !good) throw new Error('two nodes were started');
    await expect(over([bad]).getTransaction(SIGNATURE, 'confirmed')).rejects.toThrow(
      RpcUnavailable,
    );
    const answer = await over([bad, good]).getTransaction(SIGNATURE, 'confirmed');
    expect(answer?.slot).toBe(raw.slot);
  });

  it('is reported after the timeout and two seconds, whatever number of them is left', async () => {
    // All of them would take 4 s. A slow machine asks fewer.
    const nodes = await nodesSaying(...Array.from({ length: 20 }, () => () => silence));
    await expect(over(nodes, 400).getSlot('confirmed')).rejects.toThrow(RpcUnavailable);
    expect(nodes.filter(({ calls }) => calls.length > 0).length).toBeLessThan(16);
  });

  it('is named by host alone', async () => {
    const nodes = await nodesSaying(
      () => silence,
      () => silence,
      () => httpStatus(500),
    );
    const error = await over(nodes, 300)
      .getSlot('confirmed')
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RpcUnavailable);
    expect(String(error)).toContain('127.0.0.1');
    expect(String(error)).not.toContain('secret');
  });

  it('is not followed to where it redirects', async () => {
    const [target] = await nodesSaying(() => ({ result: 7 }));
    const location = target?.url ?? '';
    const [node] = await nodesSaying(() => httpStatus(307, { location }));
    if (!node) throw new Error('a node was started');
    await expect(over([node]).getSlot('confirmed')).rejects.toThrow(RpcUnavailable);
    expect(target?.calls).toEqual([]);
  });

  it('is refused an endless answer', async () => {
    const [node] = await nodesSaying(() => (response) => {
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      const write = (): void => void (response.writable && response.write(chunk, write));
      write();
    });
    if (!node) throw new Error('a node was started');
    await expect(over([node], 20_000).getSlot('confirmed')).rejects.toThrow(/more than/);
  });

  it('is asked once more after a short pause, so that one hiccup costs nothing', async () => {
    let calls = 0;
    const nodes = await nodesSaying(() => (++calls === 1 ? httpStatus(503) : { result: 7 }));
    expect(await over(nodes).getSlot('confirmed')).toBe(7n);
  });

  it('is asked last for a while after it failed', async () => {
    const nodes = await nodesSaying(
      () => httpStatus(500),
      () => ({ result: 7 }),
    );
    const rpc = over(nodes);
    await rpc.getSlot('confirmed');
    await rpc.getSlot('confirmed');
    expect(nodes.map(({ calls }) => calls.length)).toEqual([1, 2]);
  });

  it('is left alone while it asks for a rest, and the caller learns for how long', async () => {
    const nodes = await nodesSaying(() => httpStatus(429, { 'retry-after': '7' }));
    const rpc = over(nodes);
    await expect(rpc.getSlot('confirmed')).rejects.toMatchObject({ retryAfterS: 7 });
    await expect(rpc.getSlot('confirmed')).rejects.toThrow(RpcUnavailable);
    expect(nodes[0]?.calls.length).toBe(1);
  });
});

describe('an absence', () => {
  it('is believed when every node reports it', async () => {
    const nodes = await nodesSaying(nothing, nothing);
    expect(await over(nodes).getTransaction(SIGNATURE, 'confirmed')).toBeNull();
  });

  it('of a lagging node is overruled by one that knows', async () => {
    const nodes = await nodesSaying(nothing, found);
    expect(await over(nodes).getTransaction(SIGNATURE, 'confirmed')).not.toBeNull();
  });

  it('that another node contradicts is counted, and one on which all agree is not', async () => {
    const before = await disagreements();
    await over(await nodesSaying(nothing, nothing)).getTransaction(SIGNATURE, 'confirmed');
    await over(await nodesSaying(found, found)).getTransaction(SIGNATURE, 'confirmed');
    expect(await disagreements()).toBe(before);
    await over(await nodesSaying(nothing, found)).getTransaction(SIGNATURE, 'confirmed');
    expect(await disagreements()).toBe(before + 1);
  });

  const inContext = (value: unknown): Answer => ({ result: { context: { slot: 9 }, value } });
  const there = { lamports: 5, owner: SIGNATURE, data: ['', 'base64'] };
  it.each<[string, Answer, Answer, (rpc: Rpc) => Promise<unknown>, unknown]>([
    [
      'account',
      inContext(null),
      inContext(there),
      (rpc) => rpc.getAccountInfo('a'),
      { lamports: 5n },
    ],
    ['balance', inContext(0), inContext(7), (rpc) => rpc.getBalance('a'), 7n],
    [
      'token accounts',
      inContext([]),
      inContext([{ pubkey: SIGNATURE.slice(0, 44) }]),
      (rpc) => rpc.getTokenAccountsByOwner('wallet', 'mint'),
      [SIGNATURE.slice(0, 44)],
    ],
  ])('of a lagging node is overruled by one that knows: %s', async (_, none, some, ask, known) => {
    const nodes = await nodesSaying(
      () => none,
      () => some,
    );
    const answer = await ask(over(nodes));
    if (typeof known === 'object' && !Array.isArray(known))
      expect(answer).toMatchObject({ ...known });
    else expect(answer).toEqual(known);
  });

  it.each([
    ['fails', httpStatus(500)],
    ['is silent', silence],
    ['rests', httpStatus(429, { 'retry-after': '9' })],
  ])('is not believed while another node %s', async (_, trouble) => {
    const [lagging, down] = await nodesSaying(nothing, () => trouble);
    if (!lagging || !down) throw new Error('two nodes were started');
    for (const nodes of [
      [lagging, down],
      [down, lagging],
    ])
      await expect(over(nodes).getTransaction(SIGNATURE, 'confirmed')).rejects.toThrow(
        RpcUnavailable,
      );
  });

  it('in part is filled up from the other nodes', async () => {
    const one = { slot: 9, confirmations: 1, err: null, confirmationStatus: 'confirmed' };
    const value = (own: unknown[]) => (): Answer => ({
      result: { context: { slot: 9 }, value: own },
    });
    const nodes = await nodesSaying(value([one, null]), value([null, one]));
    const statuses = await over(nodes).getSignatureStatuses([SIGNATURE, SIGNATURE]);
    expect(statuses.map((known) => known?.confirmationStatus)).toEqual(['confirmed', 'confirmed']);
  });
});

describe('an answer', () => {
  it('that refuses the request keeps its code and data, from the first node', async () => {
    const error = { code: -32602, message: 'no such thing', data: { err: 'Wrong' } };
    const nodes = await nodesSaying(
      () => ({ error }),
      () => ({ result: 1 }),
    );
    const refusal = await over(nodes)
      .getSlot('confirmed')
      .catch((e: unknown) => e);
    expect(refusal).toBeInstanceOf(RpcRefused);
    expect(refusal).toMatchObject({ code: -32602, data: { err: 'Wrong' } });
    expect(nodes[1]?.calls).toEqual([]);
  });

  it('from one forced node is that node’s own', async () => {
    const nodes = await nodesSaying(
      () => ({ result: 1 }),
      () => ({ result: 2 }),
    );
    const rpc = over(nodes);
    expect(await rpc.onNode(1).getSlot('finalized')).toBe(2n);
    expect(await rpc.getSlot('finalized', { node: 1 })).toBe(2n);
    expect([rpc.nodes, rpc.onNode(1).nodes]).toEqual([2, 1]);
    expect(rpc.calls.get('getSlot')).toBe(2);
  });

  it('gives accounts with their bytes, and null for none', async () => {
    const data = Buffer.from('hello').toString('base64');
    const value = {
      lamports: 1,
      owner: 'x',
      data: [data, 'base64'],
      rentEpoch: 0,
      executable: false,
    };
    let isThere = true;
    const nodes = await nodesSaying(() => ({
      result: { context: { slot: 1 }, value: isThere ? value : null },
    }));
    const account = await over(nodes).getAccountInfo('x');
    expect(Buffer.from(account?.data ?? []).toString()).toBe('hello');
    isThere = false;
    expect(await over(nodes).getAccountInfo('x')).toBeNull();
  });

  it('keeps every digit of large numbers, and texts as they are', () => {
    expect(
      parseJson('{"a":18446744073709551615,"b":"x 18446744073709551615 \\" 1","c":1.5}'),
    ).toEqual({ a: '18446744073709551615', b: 'x 18446744073709551615 " 1', c: 1.5 });
    expect(parseJson('[ 1, 1234567890123456 ,2]')).toEqual([1, '1234567890123456', 2]);
    expect(parseJson(' 18446744073709551615')).toBe('18446744073709551615');
    const fractions = { a: 0.1234567890123456, b: 1234567890123456.5, c: 999 };
    expect(parseJson(JSON.stringify(fractions))).toEqual(fractions);
  });
});

describe('a history since a known signature', () => {
  it('that is empty is an answer, though another node is down; a whole one is not', async () => {
    const rpc = over(
      await nodesSaying(
        () => ({ result: [] }),
        () => httpStatus(503),
      ),
    );
    expect(await rpc.getSignaturesForAddress('account', { until: SIGNATURE })).toEqual([]);
    await expect(rpc.getSignaturesForAddress('account')).rejects.toThrow(RpcUnavailable);
  });
});
