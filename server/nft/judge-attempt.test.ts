import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { createRpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { answerBy, fakeLedger, heightAt, type FakeLedger } from '@/tests/harness/chain/fake-ledger';
import { httpStatus, nodeOfTest, type FakeNode } from '@/tests/harness/chain/fake-node';
import { glanceAt, judgeAttempt, judgeSettlement } from './judge-attempt';

const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const OTHER = bs58.encode(Buffer.alloc(64, 8));
/** The first and the last slot in which the attempt could land, and a tip past it. */
const [FIRST, LAST, TIP] = [1000, 1150, 1151];

async function rpcOver(...ledgers: (FakeLedger | 'down')[]) {
  const nodes = await Promise.all(
    ledgers.map((one) => nodeOfTest(one === 'down' ? () => httpStatus(503) : answerBy(one))),
  );
  return { nodes, rpc: createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 }) };
}

const whole = (changes: Partial<FakeLedger> = {}) => fakeLedger({ tip: TIP, ...changes });
const attempt = {
  signature: SIGNATURE,
  lastValidBlockHeight: BigInt(heightAt(whole(), LAST)),
};
/** A single poll, where nothing is to be decided yet. */
const glance = async (...ledgers: (FakeLedger | 'down')[]) =>
  judgeAttempt({ rpc: (await rpcOver(...ledgers)).rpc, attempt });
/** Polls until there is a result. One poll reads blocks for some seconds at most. */
async function judge(...ledgers: (FakeLedger | 'down')[]) {
  const { rpc } = await rpcOver(...ledgers);
  for (let looks = 0; looks < 5; looks += 1) {
    const verdict = await judgeAttempt({ rpc, attempt });
    if (verdict.state !== 'in_flight') return verdict;
  }
  return judgeAttempt({ rpc, attempt });
}
const lacking = (...slots: number[]) => whole({ lacks: new Set(slots) });
const holding = (slot: number, err: unknown = null) =>
  whole({ holds: new Map([[slot, [{ signature: OTHER }, { signature: SIGNATURE, err }]]]) });

describe('one node that knows no status', () => {
  it('proves an expiry by every block of the window, skipped slots included', async () => {
    expect(await judge(whole())).toEqual({ state: 'expired' });
    // Three slots without a block: the window's last height comes three slots later.
    const skipped = new Set([1003, 1004, 1070]);
    expect(await judge(whole({ tip: TIP + 3, skipped }))).toEqual({ state: 'expired' });
    expect(await glance(whole({ tip: TIP + 2, skipped }))).toEqual({ state: 'in_flight' });
  });

  it('proves nothing before the last valid height is final, however many blocks it has', async () => {
    expect(await glance(whole({ tip: LAST }))).toEqual({ state: 'in_flight' });
  });

  it.each([FIRST, FIRST + 1, 1077, LAST - 1])(
    'proves nothing where it lacks the block of slot %i and calls it skipped',
    async (slot) => {
      const seen = await judge({ ...lacking(slot), tip: TIP + 20 });
      expect(seen.state).toBe('undecided');
    },
  );

  it('proves nothing where it has only the newest blocks, as after a start from a snapshot', async () => {
    const lacks = new Set(Array.from({ length: 500 }, (_, n) => 640 + n));
    expect((await judge(whole({ lacks }))).state).toBe('undecided');
  });

  it.each([FIRST, 1077, LAST])(
    'takes a block of slot %i that holds it for landed',
    async (slot) => {
      expect(await judge(holding(slot))).toEqual({
        state: 'landed',
        slot: BigInt(slot),
        isFinal: true,
      });
    },
  );

  it('takes a block that holds it with an error for failed', async () => {
    const err = { InstructionError: [0, 'Custom'] };
    expect(await judge(holding(1077, err))).toEqual({ state: 'failed', err });
  });
});

describe('two nodes', () => {
  it('must both prove it', async () => {
    expect(await judge(whole(), whole())).toEqual({ state: 'expired' });
    expect((await judge(whole(), lacking(1077))).state).toBe('undecided');
    expect((await judge(whole(), 'down')).state).toBe('undecided');
    expect(await glance(whole(), whole({ tip: LAST }))).toEqual({ state: 'in_flight' });
  });

  it('do not wait for one that stands still: undecided, and expired once two others prove it', async () => {
    const current = whole({ tip: LAST + 200 });
    const seen = (confirmationStatus: string) => ({ slot: 1049, err: null, confirmationStatus });
    const frozen = whole({ tip: LAST - 100 });
    for (const status of [null, seen('processed'), seen('confirmed')]) {
      const still = { ...frozen, status };
      expect((await judge(current, still)).state).toBe('undecided');
      expect(await judge(still, current, current)).toEqual({ state: 'expired' });
    }
    // Final stays final, however old the status.
    expect(await judge(current, { ...frozen, status: seen('finalized') })).toMatchObject({
      state: 'landed',
      isFinal: true,
    });
    // One that only lags is waited for, and one far behind is not, before the height as after it.
    const lagging = whole({ tip: LAST - 10 });
    expect(await glance(whole({ tip: LAST + 100 }), lagging)).toEqual({ state: 'in_flight' });
    expect(await glance(current, whole({ tip: LAST }))).toEqual({
      state: 'undecided',
      reason: expect.any(String),
    });
  });

  it('say landed where one has the block and the other lacks it', async () => {
    expect((await judge(lacking(1077), holding(1077))).state).toBe('landed');
  });

  it('that are both silent give no verdict', async () => {
    await expect(judge('down', 'down')).rejects.toThrow(RpcUnavailable);
  });

  it('two of three are enough', async () => {
    expect(await judge(whole(), lacking(1077), whole())).toEqual({ state: 'expired' });
  });
});

describe('a failure that one node reports', () => {
  const err = { InstructionError: [0, 'Custom'] };
  const told = (error: unknown, confirmationStatus = 'finalized') =>
    whole({ status: { slot: 1077, err: error, confirmationStatus } });

  it('never outweighs a final landing, whichever node is asked first', async () => {
    const landed = { state: 'landed', slot: 1077n, isFinal: true };
    expect(await glance(told(err), told(null))).toEqual(landed);
    expect(await glance(told(null), told(err))).toEqual(landed);
    expect(await glance(told(err), told(err), holding(1077))).toEqual(landed);
  });

  it('counts once a second node says so', async () => {
    expect(await glance(told(err), told(err))).toEqual({ state: 'failed', err });
    expect(await glance(told(err), told(null, 'confirmed'))).toEqual({ state: 'in_flight' });
    expect(await glance(told(err), whole({ tip: LAST }))).toEqual({ state: 'in_flight' });
  });

  it('is undecided when its time is over and no other node says so', async () => {
    expect((await judge(told(err), whole())).state).toBe('undecided');
    expect((await judge(told(err), 'down')).state).toBe('undecided');
    expect(await judge(told(err), whole(), whole())).toEqual({ state: 'expired' });
  });

  it('is not taken from a single poll either', async () => {
    const { rpc } = await rpcOver(told(err), told(null));
    expect(await glanceAt({ rpc, attempt })).toMatchObject({ state: 'landed', isFinal: true });
  });
});

it('a node that refuses to answer proves nothing and stops nobody', async () => {
  const refusing = await nodeOfTest(() => ({ error: { code: -32099, message: 'not today' } }));
  const honest = await nodeOfTest(
    answerBy(whole({ status: { slot: 1077, err: null, confirmationStatus: 'finalized' } })),
  );
  const over = (...nodes: FakeNode[]) =>
    createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 });
  expect(await judgeAttempt({ rpc: over(refusing, honest), attempt })).toMatchObject({
    state: 'landed',
    isFinal: true,
  });
  await expect(judgeAttempt({ rpc: over(refusing), attempt })).rejects.toThrow(RpcUnavailable);
});

it('a window is read once for any number of transactions, and a hole that is filled is seen', async () => {
  const ledger = { ...lacking(1077), tip: TIP + 20 };
  const { rpc, nodes } = await rpcOver(ledger);
  const blocks = () => nodes[0]?.calls.filter(({ method }) => method === 'getBlock').length ?? 0;
  expect((await judgeAttempt({ rpc, attempt })).state).toBe('undecided');
  const first = blocks();
  ledger.lacks.clear();
  await expect.poll(async () => (await judgeAttempt({ rpc, attempt })).state).toBe('expired');
  const read = blocks();
  // Each block of the window, and some looked for ahead.
  expect(read).toBeLessThan(first + 100);
  const other = { ...attempt, signature: OTHER };
  expect((await judgeAttempt({ rpc, attempt: other })).state).toBe('expired');
  // At most the few that were asked for ahead and came in meanwhile.
  expect(blocks()).toBeLessThanOrEqual(read + 8);
});

describe('a payment that one node calls landed', () => {
  const at = (slot: number, confirmationStatus = 'finalized') =>
    whole({ tip: LAST, status: { slot, err: null, confirmationStatus } });
  const settle = async (...ledgers: (FakeLedger | 'down')[]) =>
    judgeSettlement({ rpc: (await rpcOver(...ledgers)).rpc, attempt });

  it.each<[string, (FakeLedger | 'down')[]]>([
    ['the other knows nothing', [at(1077), whole({ tip: LAST })]],
    ['the other is silent', ['down', at(1077)]],
    ['the other has it in another block', [at(1077), at(1078, 'confirmed')]],
    ['the other has only processed it', [at(1077), at(1077, 'processed')]],
  ])('is not paid where %s', async (_, nodes) => {
    expect(await settle(...nodes)).toEqual({ state: 'unwitnessed' });
  });

  it('is paid once a second node shows it in the same block, or the only one does', async () => {
    expect(await settle(at(1077, 'confirmed'))).toMatchObject({ state: 'landed', slot: 1077n });
    const two = await settle(at(1077, 'confirmed'), at(1077));
    expect(two).toMatchObject({ state: 'landed', slot: 1077n });
    // A third node that invents another block is no obstacle.
    const three = await settle(at(1070), at(1077, 'confirmed'), at(1077, 'confirmed'));
    expect(three).toMatchObject({ state: 'landed', slot: 1077n });
    expect(await settle(holding(1077), holding(1077))).toMatchObject({ state: 'landed' });
  });
});
