import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { httpStatus, silence, type Answer } from './testing/fake-node';
import { withFakeNodes } from './testing/fake-nodes.fixture';

const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const { nodesSaying, over } = withFakeNodes();

describe('the newest blockhash', () => {
  const blockhash = (lastValidBlockHeight: number): Answer => ({
    result: {
      context: { slot: 9 },
      value: {
        blockhash: bs58.encode(Buffer.alloc(32, lastValidBlockHeight % 251)),
        lastValidBlockHeight,
      },
    },
  });
  const ask = async (...answers: Answer[]) => {
    const nodes = await nodesSaying(...answers.map((one) => () => one));
    return (await over(nodes).getLatestBlockhash()).lastValidBlockHeight;
  };

  it('is the highest that the nodes tell, without those that are silent or refuse', async () => {
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

  it('is refused only when all that answer say so, and for good only when none of them leaves it open', async () => {
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
