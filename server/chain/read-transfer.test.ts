import bs58 from 'bs58';
import { afterEach, describe, expect, it } from 'vitest';
import { readTransfer } from '@quittance/verify/chain/read-transfer';
import { createRpc } from './rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import {
  httpStatus,
  startFakeNode,
  type Answer,
  type FakeNode,
} from '../../tests/harness/chain/fake-node';
import { MadeTransaction, named } from '../../tests/harness/chain/made-transaction';

/** The signature of {@link MadeTransaction}. */
const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const raw = new MadeTransaction({ feePayer: 'payer' }).sendSol('payer', 'seller', 5n).raw();
const open: FakeNode[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

async function read(
  transaction: Answer,
  finality: string | null = 'finalized',
  signature = SIGNATURE,
  seen: { slot: number; err: unknown } = { slot: raw.slot, err: null },
) {
  const value = [finality && { ...seen, confirmations: 1, confirmationStatus: finality }];
  const node = await startFakeNode(({ method }) =>
    method === 'getTransaction' ? transaction : { result: { context: { slot: 1 }, value } },
  );
  open.push(node);
  const rpc = createRpc({ urls: [node.url], timeoutMs: 5_000 });
  return { node, reading: await readTransfer({ rpc, network: 'mainnet', signature }) };
}

describe('reading a transfer by its signature', () => {
  it('costs one read of the transaction and one of its status', async () => {
    const { node, reading } = await read({ result: raw });
    expect(reading).toMatchObject({
      ok: true,
      transfer: { seller: named('seller'), finality: 'finalized' },
    });
    expect(node.calls.map(({ method }) => method)).toEqual([
      'getTransaction',
      'getSignatureStatuses',
    ]);
    expect(node.calls[0]?.params).toEqual([
      SIGNATURE,
      { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
    ]);
  });

  it.each(['confirmed', 'processed', null])(
    'is confirmed at least when the status is %s',
    async (s) => {
      const { reading } = await read({ result: raw }, s);
      expect(reading).toMatchObject({ ok: true, transfer: { finality: 'confirmed' } });
    },
  );

  it('is not final by the final status of another slot, or of a failure', async () => {
    for (const seen of [
      { slot: raw.slot + 1, err: null },
      { slot: raw.slot, err: { InstructionError: [0, 'x'] } },
    ]) {
      const { reading } = await read({ result: raw }, 'finalized', SIGNATURE, seen);
      expect(reading).toMatchObject({ ok: true, transfer: { finality: 'confirmed' } });
    }
  });

  it('does not ask for the status of what is no payment', async () => {
    const { node, reading } = await read({ result: { ...raw, blockTime: null } });
    expect(reading).toMatchObject({ ok: false, code: 'unreadable_transaction' });
    expect(node.calls).toHaveLength(1);
  });

  it('finds nothing when the nodes know nothing or call it no signature', async () => {
    const invalid = { error: { code: -32602, message: 'Invalid param: WrongSize' } };
    for (const answer of [{ result: null }, invalid])
      expect((await read(answer)).reading).toMatchObject({ code: 'transaction_not_found' });
  });

  it('cannot read a version above 0, which is not "not found"', async () => {
    const error = { code: -32015, message: 'Transaction version (1) is not supported' };
    expect((await read({ error })).reading).toMatchObject({ code: 'unreadable_transaction' });
  });

  it('does not take another transaction than the one asked for', async () => {
    const other = bs58.encode(Buffer.alloc(64, 8));
    await expect(read({ result: raw }, 'finalized', other)).rejects.toThrow(RpcUnavailable);
  });

  it('throws when the node is down', async () => {
    await expect(read(httpStatus(500))).rejects.toThrow(RpcUnavailable);
  });
});
