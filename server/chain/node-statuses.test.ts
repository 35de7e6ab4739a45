import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { signatureFinality } from './node-statuses';
import { httpStatus, type Answer } from '../../tests/harness/chain/fake-node';
import { withFakeNodes } from './testing/fake-nodes.fixture';

const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const { nodesSaying, over } = withFakeNodes();

const status = (confirmationStatus: string, err: unknown = null): Answer => ({
  result: { context: { slot: 9 }, value: [{ slot: 9, confirmations: 1, err, confirmationStatus }] },
});
const noStatus: Answer = { result: { context: { slot: 10_000 }, value: [null] } };

describe('finality', () => {
  it.each([
    ['finalized', status('finalized'), 'finalized'],
    ['confirmed', status('confirmed'), 'confirmed'],
    ['processed', status('processed'), 'processed'],
    ['an error', status('finalized', { InstructionError: [0, 'x'] }), 'failed'],
    ['an error of a block yet to be voted on', status('processed', 'x'), 'processed'],
    ['an error of a block that is not final yet', status('confirmed', 'x'), 'confirmed'],
    ['nothing', noStatus, 'absent'],
  ])('of a status that is %s', async (_, answer, expected) => {
    const rpc = over(await nodesSaying(() => answer));
    expect(await signatureFinality({ rpc, signature: SIGNATURE })).toBe(expected);
  });

  const failed = status('finalized', 'x');
  it.each([
    ['a final landing', failed, status('finalized'), 'unwitnessed'],
    ['a landing that is not final', failed, status('confirmed'), 'contested'],
    ['nothing', failed, noStatus, 'contested'],
    ['the same', failed, failed, 'failed'],
    ['no answer', failed, httpStatus(500), 'contested'],
  ])(
    'of a failure that one node reports, where the other reports %s',
    async (_, one, two, expected) => {
      const rpc = over(
        await nodesSaying(
          () => one,
          () => two,
        ),
      );
      expect(await signatureFinality({ rpc, signature: SIGNATURE })).toBe(expected);
    },
  );

  const elsewhere: Answer = {
    result: {
      context: { slot: 9 },
      value: [{ slot: 8, confirmations: 1, err: null, confirmationStatus: 'confirmed' }],
    },
  };
  it.each([
    ['finalized', status('finalized'), 'finalized'],
    ['confirmed in the same block', status('confirmed'), 'finalized'],
    ['processed', status('processed'), 'unwitnessed'],
    ['confirmed in another block', elsewhere, 'unwitnessed'],
    ['nothing', noStatus, 'unwitnessed'],
    ['no answer', httpStatus(500), 'unwitnessed'],
  ])(
    'of a final landing that one node reports, where the other reports %s',
    async (_, two, expected) => {
      const rpc = over(
        await nodesSaying(
          () => status('finalized'),
          () => two,
        ),
      );
      expect(await signatureFinality({ rpc, signature: SIGNATURE })).toBe(expected);
    },
  );

  it('is not absent while one node has no answer', async () => {
    const rpc = over(
      await nodesSaying(
        () => noStatus,
        () => httpStatus(500),
      ),
    );
    await expect(signatureFinality({ rpc, signature: SIGNATURE })).rejects.toThrow(RpcUnavailable);
  });
});
