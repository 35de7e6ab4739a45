import type { ServiceContext } from '@/server/context';
import { readWithAccounts } from '@quittance/verify/chain/read-transfer';
import { loadTransferReading, storeTransferReading } from './stored-reading';
import type { TransactionReading } from '@quittance/verify/chain/transfer';

/**
 * As `readTransfer`, but a transaction that is final is read from the chain once in the service's life:
 * every route and every later call has the same answer.
 */
export async function readTransferOnce(
  service: Pick<ServiceContext, 'db' | 'env' | 'clock' | 'rpc'>,
  signature: string,
): Promise<TransactionReading> {
  const stored = await loadTransferReading(service, signature);
  if (stored) return stored;
  const { reading, tokenAccounts, finality } = await readWithAccounts({
    rpc: service.rpc,
    network: service.env.network,
    signature,
  });
  if (finality === 'finalized' && reading.movements) {
    const { slot, blockTime } = reading.movements;
    await storeTransferReading(service, { signature, reading, slot, blockTime, tokenAccounts });
  }
  return reading;
}
