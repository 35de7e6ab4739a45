import type { TransactionReading } from '../chain/transfer';
import type { Network } from '../network';
import { TRAITS } from '../receipts/describe-traits';
import { parseReceiptMetadata, type ReceiptMetadata } from '../receipts/describe-parse';
import { paymentByTable } from '../receipts/payment-by-table';
import { legsOf, type ReceiptLeg } from '../receipts/receipt-beside';
import { parseStatementMetadata } from '../statements/parse-statement-metadata';
import { type StatementItem, totalsOf } from '../statements/statement-rows';
import type { SheetReading } from './check-drawn';
import { receiptSheet } from './receipt-sheet';
import { statementSheet } from './statement-sheet';

/**
 * The inputs of the image of a receipt, from its metadata, and from its transaction if that lists
 * more.
 */
export function sheetOfReceipt(o: {
  metadata: Uint8Array;
  payment: TransactionReading;
  network: Network;
}): SheetReading {
  const reading = parseReceiptMetadata(o.metadata);
  if (!reading.ok) return { ok: false, why: 'the metadata cannot be read' };
  const { metadata } = reading;
  const { chain, service, labels } = metadata;
  const otherLegs = allLegs(metadata, o);
  if (!otherLegs)
    return { ok: false, why: 'the payment, which names all other legs, cannot be read' };
  const template = metadata.template ?? 1;
  const sheet = receiptSheet({
    ...labels,
    template,
    receiptId: service.receiptId,
    network: chain.network,
    pageUrl: metadata.pageUrl,
    txSignature: chain.transaction,
    blockTime: chain.paidAt,
    payer: chain.payer,
    seller: chain.seller,
    token: service.token,
    decimals: chain.decimals,
    dtifCode: service.dtiCode,
    amount: chain.amount,
    feeWithheld: chain.feeWithheld,
    otherLegs,
    goodsCount: Number(chain.beside?.find(([trait]) => trait === TRAITS.goods)?.[1] ?? 0),
    usdMicros: service.usdMicros,
    valuation: service.usdBasis,
    valuationSource: service.usdSource,
  });
  return { ok: true, sheet, template };
}

/** The metadata lists the first of many. All are those of the transaction. */
function allLegs(
  metadata: ReceiptMetadata,
  o: { payment: TransactionReading; network: Network },
): readonly ReceiptLeg[] | null {
  const { otherPayees, listedPayees } = metadata.chain;
  if (listedPayees.length === otherPayees) return listedPayees;
  const payment = paymentByTable({ ...o, metadata });
  return payment.ok ? legsOf(payment.transfer) : null;
}

/** The inputs of the image of a statement, from its metadata and its rows. */
export function sheetOfStatement(o: {
  metadata: Uint8Array;
  rows: readonly StatementItem[] | undefined;
  network: Network;
}): SheetReading {
  const reading = parseStatementMetadata(o.metadata);
  if (!reading.ok) return { ok: false, why: 'the metadata cannot be read' };
  if (!o.rows) return { ok: false, why: 'the proof came without its rows' };
  const { metadata } = reading;
  const sheet = statementSheet({ ...metadata, network: o.network, totals: totalsOf(o.rows) });
  return { ok: true, sheet, template: metadata.template };
}
