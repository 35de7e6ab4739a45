import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { httpStatus, silence, type Answer } from '../../tests/harness/chain/fake-node';
import { withFakeNodes } from './testing/fake-nodes.fixture';

const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const { nodesSaying, over } = withFakeNodes();

describe('the newest blockhash', () => {
  const blockhash = (lastValidBlockHeight: number): Answer => ({
    result: {
      context: { slot: 9 },
      value: {
        blockhash: hashOf(lastValidBlockHeight),
        lastValidBlockHeight,
      },
    },
  });
  const hashOf = (told: number) => bs58.encode(Buffer.alloc(32, told % 251));
  const tip = (blockHeight: number): Answer => ({ result: { absoluteSlot: 9, blockHeight } });
  /**
   * A node that reports this last valid height, with its own height and the last valid heights of
   * the hashes that it knows.
   */
  const telling =
    (told: number, o: { height?: number; movesTo?: number; knows?: number[] } = {}) =>
    (method: string, params: unknown): Answer => {
      const height = o.height ?? told - 150;
      if (method === 'getLatestBlockhash') return blockhash(told);
      if (method === 'getEpochInfo') return tip(o.movesTo ?? height);
      const known = (o.knows ?? [told]).map((one) => hashOf(one));
      const value = Array.isArray(params) && known.includes(String(params[0]));
      return { result: { context: { slot: 9 }, value } };
    };
  type Said = (method: string, params: unknown) => Answer;
  const askNodes = async (...answers: Said[]) =>
    over(await nodesSaying(...answers)).getLatestBlockhash();
  const ask = async (...answers: Answer[]) =>
    (
      await askNodes(
        ...answers.map((one) => (method: string) => (method === 'getEpochInfo' ? tip(400) : one)),
      )
    ).lastValidBlockHeight;

  it('is the highest of the nodes, without those that are silent or refuse', async () => {
    const [low, high] = [blockhash(100), blockhash(140)];
    const refusal: Answer = { error: { code: -32099, message: 'no' } };
    expect(await ask(low, high)).toBe(140n);
    expect(await ask(high, low)).toBe(140n);
    for (const mute of [httpStatus(503), refusal, silence]) expect(await ask(mute, low)).toBe(100n);
    await expect(ask(httpStatus(503), httpStatus(503))).rejects.toThrow(RpcUnavailable);
  });

  it('is not that of one of three nodes that is far above the others', async () => {
    const [low, high, invented] = [blockhash(100), blockhash(140), blockhash(9_000_000)];
    expect(await ask(low, invented, high)).toBe(140n);
    // Of three, two that lag keep none from counting.
    expect(await ask(low, blockhash(400), low)).toBe(400n);
  });

  const HUGE = 9_000_000;
  it('is not that of a node, of two, that reports more than its own height allows', async () => {
    const liar = telling(HUGE, { height: 1_000 });
    for (const nodes of [
      [liar, telling(1_140)],
      [telling(1_140), liar],
    ])
      expect(await askNodes(...nodes)).toEqual({
        blockhash: hashOf(1_140),
        lastValidBlockHeight: 1_140n,
      });
  });

  it('ends at most one life after the height at which the second node knows it', async () => {
    const honest = telling(1_140, { height: 995, knows: [1_140, HUGE] });
    expect(await askNodes(telling(HUGE), honest)).toEqual({
      blockhash: hashOf(HUGE),
      lastValidBlockHeight: 1_145n,
    });
    // The one that is far ahead and right keeps its own.
    const behind = telling(1_140, { height: 1_900, knows: [1_140, 2_000] });
    expect((await askNodes(telling(2_000), behind)).lastValidBlockHeight).toBe(2_000n);
  });

  it('is that of the node ahead where the other stands still, and none where both move', async () => {
    expect((await askNodes(telling(HUGE), telling(1_140))).lastValidBlockHeight).toBe(BigInt(HUGE));
    const moving = telling(1_140, { movesTo: 995 });
    await expect(askNodes(telling(HUGE), moving)).rejects.toThrow('contradict each other');
  });

  it('of the only node that answers is one that its height allows', async () => {
    const dead = () => httpStatus(503);
    expect((await askNodes(dead, telling(1_140))).lastValidBlockHeight).toBe(1_140n);
    const liar = telling(HUGE, { height: 1_000 });
    await expect(askNodes(dead, liar)).rejects.toThrow(RpcUnavailable);
  });
});

describe('a send', () => {
  const send = async (...answers: Answer[]) => {
    const nodes = await nodesSaying(...answers.map((one) => () => one));
    const sent = over(nodes).sendTransaction('AA==', { skipPreflight: false });
    const outcome = await sent.catch((e: unknown) => e);
    return { nodes, outcome };
  };
  const refusal = (err: unknown): Answer => ({
    error: { code: -32002, message: 'preflight failed', data: { err } },
  });

  it('goes to every node, and counts once one took it', async () => {
    for (const other of [refusal('BlockhashNotFound'), refusal('Wrong'), httpStatus(503)]) {
      const { nodes, outcome } = await send(other, { result: SIGNATURE }, { result: SIGNATURE });
      expect(outcome).toBe(SIGNATURE);
      await expect.poll(() => nodes.every(({ calls }) => calls.length > 0)).toBe(true);
    }
  });

  it('is refused only if all answering nodes refuse, and finally only if none leaves it open', async () => {
    const of = async (...answers: Answer[]) => {
      const { outcome } = await send(...answers);
      if (!(outcome instanceof RpcRefused)) throw new Error('it is refused');
      return { err: outcome.data, isAfterTrouble: outcome.isAfterTrouble };
    };
    const wrong = { err: { err: 'Wrong' }, isAfterTrouble: false };
    expect(await of(refusal('Wrong'), refusal('Wrong'))).toEqual(wrong);
    expect(await of(refusal('Wrong'), httpStatus(503))).toEqual({ ...wrong, isAfterTrouble: true });
    for (const open of ['BlockhashNotFound', 'AlreadyProcessed'])
      expect(await of(refusal('Wrong'), refusal(open))).toEqual({ ...wrong, err: { err: open } });
  });

  it('by silent nodes alone is no refusal', async () => {
    const { outcome } = await send(httpStatus(503), httpStatus(503));
    expect(outcome).toBeInstanceOf(RpcUnavailable);
  });
});
