import type { ServiceContext } from '@/server/context';
import { readWithAccounts } from './read-transfer';
import { loadTransferReading, storeTransferReading } from './stored-reading';
import type { TransferReading } from './transfer';

/**
 * As `readTransfer`, but a payment that is final is read from the chain once in the service's life:
 * every route and every later call has the same answer.
 */
export async function readTransferOnce(
  service: Pick<ServiceContext, 'db' | 'env' | 'clock' | 'rpc'>,
  signature: string,
): Promise<TransferReading> {
  const stored = await loadTransferReading(service, signature);
  if (stored) return stored;
  const { reading, tokenAccounts } = await readWithAccounts({ rpc: service.rpc, signature });
  if (reading.ok && reading.transfer.finality === 'finalized') {
    const { slot, blockIndex, blockTime } = reading.transfer;
    const place = { signature, slot, blockIndex, blockTime };
    await storeTransferReading(service, { ...place, reading, tokenAccounts });
  }
  return reading;
}
