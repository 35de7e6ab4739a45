import type { TransactionReading } from '../chain/transfer';
import type { Network } from '../network';
import { readByTable, tablesOf } from './by-either-table';
import { areLegsNamed } from './check-facts';
import type { ReceiptMetadata } from './describe-parse';
import { paymentByTemplate } from './payment-by-template';
import { legsOf } from './receipt-beside';

/**
 * The payment of a receipt by the tables between its time of issue and today that give the legs it
 * names. Without such tables, it is the payment by the first table that read one. The lines about
 * the payment say whether such tables are allowed.
 */
export function paymentByTable(o: {
  payment: TransactionReading;
  network: Network;
  metadata: ReceiptMetadata;
}): TransactionReading {
  const { network, metadata } = o;
  const { issuedAt } = metadata.service;
  const read = tablesOf(network, { issuedAt, mintedAt: null }).map(({ tableOf }) =>
    paymentByTemplate({ ...o, payment: readByTable(o.payment, { network, tableOf }) }),
  );
  const named = read.find((one) => one.ok && areLegsNamed(legsOf(one.transfer), metadata.chain));
  return named ?? read.find(({ ok }) => ok) ?? paymentByTemplate(o);
}
