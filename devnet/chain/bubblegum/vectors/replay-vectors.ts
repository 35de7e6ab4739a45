import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Chain } from '@/devnet/chain/chain';
import type { TxRecord } from '@/devnet/chain/emulator';
import { startSlotClock } from '@/devnet/chain/slot-clock';
import { SYSTEM } from '../program-ids';
import { registerBubblegum } from '../register';

/*
 * Effects of the real programs, one transaction after the other. Payers are the wallets that
 * signed. Their funds are not in the file and follow from the balances after their first step.
 */
const UNIX_TIME = 1_750_000_000;
const FUNDED: Record<string, bigint> = {
  AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9: 50_000_000_000n,
  '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu': 50_000_000_000n,
  EdmxWPmx2WH6WgFfTdu9xfkYf3k1g5wD1zccTVySEEh1: 50_000_000_000n,
  '8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe': 950_000n,
};

const inner = z.object({
  index: z.number(),
  instructions: z.array(
    z.object({
      programId: z.string(),
      accounts: z.array(z.string()),
      data: z.string(),
      stackHeight: z.number(),
    }),
  ),
});
const recordedAccount = z.object({
  lamports: z.string(),
  owner: z.string(),
  length: z.number(),
  sha256: z.string(),
});
const recordedStep = z.strictObject({
  name: z.string(),
  slot: z.number(),
  wire: z.base64(),
  err: z.unknown(),
  fee: z.number(),
  returnData: z.unknown(),
  inner: z.array(inner),
  accounts: z.record(z.string(), recordedAccount.nullable()),
  postBalances: z.array(z.number()),
});
export type RecordedAccount = z.infer<typeof recordedAccount>;
export type RecordedStep = z.infer<typeof recordedStep>;

const file = new URL('../../../../tests/vectors/bubblegum-v2.json', import.meta.url);
export const { steps } = z
  .object({ steps: z.array(recordedStep) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

/**
 * Runs the recorded transactions on a new chain, at the recorded slot and time. `after` sees each
 * result.
 */
export function replayVectors(
  after: (chain: Chain, step: RecordedStep, record: TxRecord) => void = () => undefined,
): Chain {
  let slot = 0;
  const clock = { ...startSlotClock({}), slot: () => slot, now: () => UNIX_TIME };
  const chain = new Chain({ clock, checkBlockhash: false });
  registerBubblegum(chain);
  for (const [address, lamports] of Object.entries(FUNDED))
    chain.set(address, { lamports, owner: SYSTEM, data: new Uint8Array(), executable: false });
  for (const step of steps) {
    slot = step.slot;
    const signature = chain.send(Buffer.from(step.wire, 'base64'), { skipPreflight: true });
    const record = chain.txs.get(signature);
    if (!record) throw new Error(`${step.name} never landed`);
    after(chain, step, record);
  }
  return chain;
}
