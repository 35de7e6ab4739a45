import bs58 from 'bs58';
import { z } from 'zod';

export type Funding =
  | { state: 'final'; from: string; lamports: bigint }
  /** The chain knows the transaction, but it is not finalized. */
  | { state: 'pending' }
  /** Unknown, failed, or not a plain transfer from one wallet to this node. */
  | { state: 'invalid' };

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/**
 * Number of `transfer` among the System program's instructions. 8 bytes of lamports follow its 4.
 */
const TRANSFER = 2;
const TIMEOUT_MS = 10_000;

const statuses = z.object({
  result: z.object({
    value: z.array(z.object({ confirmationStatus: z.string().nullish() }).nullable()),
  }),
});
const transaction = z.object({
  result: z
    .object({
      meta: z.object({ err: z.unknown() }),
      transaction: z.object({
        message: z.object({
          accountKeys: z.array(z.string()),
          instructions: z.array(
            z.object({
              programIdIndex: z.number(),
              accounts: z.array(z.number()),
              data: z.string(),
            }),
          ),
        }),
      }),
    })
    .nullable(),
});

/**
 * Asks the chain how much a transaction paid to `to`. Throws when the chain gives no usable answer.
 */
export async function lookUpFunding(o: {
  rpcUrl: string;
  signature: string;
  to: string;
}): Promise<Funding> {
  const config = {
    commitment: 'finalized',
    encoding: 'json',
    maxSupportedTransactionVersion: 0,
  };
  const found = transaction.parse(await call(o.rpcUrl, 'getTransaction', [o.signature, config]));
  if (!found.result) {
    const search = { searchTransactionHistory: true };
    const known = statuses.parse(
      await call(o.rpcUrl, 'getSignatureStatuses', [[o.signature], search]),
    );
    return { state: known.result.value[0] ? 'pending' : 'invalid' };
  }
  if (found.result.meta.err !== null) return { state: 'invalid' };
  const { accountKeys, instructions } = found.result.transaction.message;
  const transfers = instructions.flatMap((instruction) => {
    const data = Buffer.from(bs58.decode(instruction.data));
    const [from, to] = instruction.accounts.map((index) => accountKeys[index]);
    const isTransfer =
      accountKeys[instruction.programIdIndex] === SYSTEM_PROGRAM &&
      data.length === 12 &&
      data.readUInt32LE() === TRANSFER;
    return isTransfer && from !== undefined && to === o.to
      ? [{ from, lamports: data.readBigUInt64LE(4) }]
      : [];
  });
  const [first] = transfers;
  if (!first || transfers.some(({ from }) => from !== first.from)) return { state: 'invalid' };
  const lamports = transfers.reduce((sum, transfer) => sum + transfer.lamports, 0n);
  return lamports > 0n ? { state: 'final', from: first.from, lamports } : { state: 'invalid' };
}

async function call(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return response.json();
}
