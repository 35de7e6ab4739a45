import { readTransferOnce } from '@/server/chain/read-transfer-once';
import type { Transfer, TransferReading } from '@/server/chain/transfer';
import type { ServiceContext } from '@/server/context';
import type { Network } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { tokenByMint, type TokenEntry } from '@/server/tokens/token-table';
import { usdValueAtPar } from '@/server/tokens/usd-value';

/** A transfer of a token that can be valued, with its value. */
export type ValuedTransfer = {
  transfer: Transfer;
  token: TokenEntry;
  /** Value in micro-USD, rounded once, half up. */
  usdMicros: bigint;
  valuation: 'par' | 'fx' | 'market';
  valuationSource: string | null;
};

/**
 * Reads a transaction and values what the seller received. Throws a 400 `Transaction verification
 * failed: …` when it is no payment of a supported token, `RpcUnavailable` when no node answers.
 */
export async function readValuedTransfer(
  service: Pick<ServiceContext, 'db' | 'env' | 'clock' | 'rpc'>,
  input: { signature: string },
): Promise<ValuedTransfer> {
  const reading = await readTransferOnce(service, input.signature);
  return valueTransfer(verified(reading), service.env.network);
}

/** The transfer of a reading, or the 400 that says why there is none. */
export function verified(reading: TransferReading): Transfer {
  if (reading.ok) return reading.transfer;
  throw new ServiceError(reading.code, `Transaction verification failed: ${reading.detail}`);
}

/** Values a transfer; throws `unsupported_token` naming the mint when that can't be done. */
function valueTransfer(transfer: Transfer, network: Network): ValuedTransfer {
  const token = tokenByMint(transfer.mint, network);
  const usdMicros = token
    ? usdValueAtPar({ token, amount: transfer.amount, decimals: transfer.decimals })
    : null;
  if (!token || usdMicros === null)
    throw new ServiceError(
      'unsupported_token',
      `Transaction verification failed: the token ${token?.symbol ?? 'of this transaction'} with mint ${transfer.mint ?? 'native SOL'} cannot be valued by this service.`,
      { details: { mint: transfer.mint } },
    );
  if (transfer.amount > LARGEST_AMOUNT || transfer.amountSent > LARGEST_AMOUNT)
    throw new ServiceError(
      'unreadable_transaction',
      'Transaction verification failed: the amount is larger than any supply of a supported token.',
    );
  return { transfer, token, usdMicros, valuation: 'par', valuationSource: null };
}

/** Largest signed 64-bit number: what the database holds, 9.2 trillion units at 6 decimals. */
const LARGEST_AMOUNT = 2n ** 63n - 1n;
