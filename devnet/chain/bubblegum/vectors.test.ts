import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Chain } from '@/devnet/chain/chain';
import type { Acct, TxRecord } from '@/devnet/chain/emulator';
import {
  replayVectors,
  steps,
  type RecordedAccount,
  type RecordedStep,
} from './vectors/replay-vectors';

// Hashing is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

test('each of the 126 recorded transactions has the same effect here as on the real programs', () => {
  expect(steps).toHaveLength(126);
  expect(steps.filter((step) => step.err !== null)).toHaveLength(22);
  replayVectors((chain, step, record) =>
    expect(outcome(chain, step, record), step.name).toEqual(step),
  );
});

function outcome(chain: Chain, expected: RecordedStep, record: TxRecord): RecordedStep {
  const { meta, keys } = record;
  const key = (index: number) => keys[index] ?? '?';
  const accounts = Object.keys(expected.accounts).map(
    (address) => [address, describe(chain.get(address))] as const,
  );
  return {
    name: expected.name,
    slot: record.slot,
    wire: Buffer.from(record.wire).toString('base64'),
    err: meta.err,
    fee: meta.fee,
    returnData: meta.returnData,
    inner: meta.innerInstructions.map((group) => ({
      index: group.index,
      instructions: group.instructions.map((ix) => ({
        programId: key(ix.programIdIndex),
        accounts: ix.accounts.map(key),
        data: Buffer.from(ix.data).toString('hex'),
        stackHeight: ix.stackHeight,
      })),
    })),
    accounts: Object.fromEntries(accounts),
    postBalances: meta.postBalances,
  };
}

function describe(state: Acct | null): RecordedAccount | null {
  return (
    state && {
      lamports: state.lamports.toString(),
      owner: state.owner,
      length: state.data.length,
      sha256: createHash('sha256').update(state.data).digest('hex'),
    }
  );
}
