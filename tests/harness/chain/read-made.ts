import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import type { LegPrice } from '@quittance/verify/chain/movements';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import type { Transfer, TransferReading } from '@quittance/verify/chain/transfer';
import type { MadeTransaction } from './made-transaction';

export const EURC = 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr';

/** SOL at 150 dollars, EURC at 1.10. */
export const PRICES: readonly LegPrice[] = [
  { mint: null, usdPerUnit: { num: 150n, den: 1n }, basis: 'market', source: 'test' },
  { mint: EURC, usdPerUnit: { num: 11n, den: 10n }, basis: 'fx', source: 'test' },
];

/** The reader's result for a transaction, at the prices above unless others are given. */
export function readRaw(raw: RawTransaction, prices = PRICES): TransferReading {
  const reading = interpretTransaction(raw, { network: 'mainnet', prices });
  if (!reading.ok && reading.code === 'price_needed') throw new Error(reading.detail);
  return reading;
}

export function readMade(
  tx: MadeTransaction,
  o?: Parameters<MadeTransaction['raw']>[0],
): TransferReading {
  return readRaw(tx.raw(o));
}

export function transferOf(reading: TransferReading): Transfer {
  if (!reading.ok) throw new Error(`${reading.code}: ${reading.detail}`);
  return reading.transfer;
}

export const codeOf = (reading: TransferReading): string => (reading.ok ? 'ok' : reading.code);
