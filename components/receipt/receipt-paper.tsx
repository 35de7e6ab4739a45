import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { Address } from '../ui/address';
import { Amount, decimalOf, groupDigits } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Facts, type Fact } from '../ui/facts';
import { Time } from '../ui/time';
import paper from '../ui/paper.module.css';
import { ReceiptBeside } from './receipt-beside';

const VALUATION: Readonly<Record<string, string>> = {
  par: 'one unit counts as one dollar',
  fx: 'by the exchange rate of the day',
  market: 'by the market price of the day',
};

/** The receipt as printed: every fact, and whose word it is. */
export function ReceiptPaper({
  receipt,
  sellerName,
}: {
  receipt: ReceiptBody;
  /** What the seller calls itself, where it is registered. */
  sellerName: string | null;
}) {
  const { reported_by: by } = receipt;
  const chain = <Badge kind="chain" />;
  const told = <Badge kind="self">Told by the {by}</Badge>;
  const service = <Badge kind="service" />;
  const usd = groupDigits(decimalOf(receipt.usd_amount_raw, 6));
  const facts: Fact[] = [
    { term: 'Paid by', value: <Address value={receipt.payer} label="Payer" />, mark: chain },
    { term: 'Paid to', value: <Address value={receipt.seller} label="Seller" />, mark: chain },
    ...(sellerName === null
      ? []
      : [
          {
            term: 'Name',
            value: sellerName,
            mark: <Badge kind="self">Name given by the seller</Badge>,
          },
        ]),
    {
      term: 'Date',
      value: <Time value={receipt.block_time} precision="second" />,
      mark: chain,
    },
    { term: 'For', value: receipt.service_type, mark: told },
    ...(receipt.invoice_id === null
      ? []
      : [{ term: 'Invoice', value: receipt.invoice_id, mark: told }]),
    ...(receipt.transaction_type === null
      ? []
      : [{ term: 'Kind', value: receipt.transaction_type, mark: told }]),
    {
      term: 'Value',
      value: `${usd} USD, ${VALUATION[receipt.valuation] ?? receipt.valuation}${receipt.valuation_source ? ` (${receipt.valuation_source})` : ''}`,
      mark: service,
    },
    ...(receipt.dtif_code === null
      ? []
      : [
          {
            term: 'Token code',
            value: <span className="mono">{receipt.dtif_code}</span>,
            mark: service,
          },
        ]),
    {
      term: 'Transaction',
      value: <Address value={receipt.tx_signature} kind="transaction" label="Transaction" />,
      mark: chain,
    },
  ];
  return (
    <article className={paper['paper']} aria-labelledby="receipt-title">
      <div className={paper['head']}>
        <span className={paper['title']} aria-hidden="true">
          PAYMENT RECEIPT
        </span>
        <h1 id="receipt-title" className="mono">
          <span className="unseen">Receipt </span>
          {receipt.receipt_id}
        </h1>
      </div>
      <Amount
        size="large"
        value={decimalOf(receipt.amount_raw, receipt.decimals)}
        token={receipt.token}
        worth={receipt.token === 'USDC' ? null : `${usd} USD`}
      />
      <Facts facts={facts} />
      <ReceiptBeside receipt={receipt} />
      {/* The picture is a stored file of fixed size: nothing is left to optimise. */}
      {/* eslint-disable-next-line @next/next/no-img-element */}
      <img
        className={paper['picture']}
        src={`/receipt/${receipt.receipt_id}/image.png`}
        width={1000}
        height={1000}
        alt={`The receipt as a picture: ${receipt.amount} ${receipt.token} from ${receipt.payer} to ${receipt.seller}`}
      />
    </article>
  );
}
