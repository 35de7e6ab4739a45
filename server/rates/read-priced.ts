import { readTransferOnce } from '@/server/chain/read-transfer-once';
import type { ScannedTransaction } from '@/server/chain/scan-transactions';
import type { TransferReading } from '@quittance/verify/chain/transfer';
import type { ServiceContext } from '@/server/context';
import { priceReading, priceReadings } from './price-readings';
import type { RatesContext } from './rates-context';

/** A transaction of a history, judged by prices where that was needed. */
export type PricedTransaction = Omit<ScannedTransaction, 'reading'> & { reading: TransferReading };

/**
 * Which payment a transaction is: read from the chain once in the service's life, and chosen by the prices
 * that it was first read with. Throws RpcUnavailable and `rates_unavailable`.
 */
export async function readPricedOnce(
  service: RatesContext & Pick<ServiceContext, 'rpc' | 'clock'>,
  signature: string,
): Promise<TransferReading> {
  return priceReading(service, await readTransferOnce(service, signature));
}

/** As {@link priceReadings} for the transactions of a history, in their order. */
export async function priceScanned(
  ctx: RatesContext,
  scanned: readonly ScannedTransaction[],
): Promise<PricedTransaction[]> {
  const readings = await priceReadings(
    ctx,
    scanned.map(({ reading }) => reading),
  );
  return scanned.map((one, place) => {
    const reading = readings[place];
    if (!reading) throw new Error(`${one.signature} was not judged`);
    return { ...one, reading };
  });
}
