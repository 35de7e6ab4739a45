import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { Address } from '../ui/address';
import { Amount, amountOf, decimalOf } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Facts, type Fact } from '../ui/facts';
import { LocalTime } from '../ui/local-time';
import paper from '../ui/paper.module.css';
import { LocalWorth } from './local-worth';
import { ReceiptBeside } from './receipt-beside';
import styles from './receipt.module.css';

/** How the value in dollars came about. */
function basisOf({ valuation, token, valuation_source: source }: ReceiptBody): string {
  if (valuation === 'par') return `1 ${token} counts as 1 USD`;
  const words = valuation === 'fx' ? 'exchange rate of the day' : 'market price of the day';
  return source === null ? words : `${words}, ${source}`;
}

type PaperProps = {
  receipt: ReceiptBody;
  /** What the seller calls itself; null where it is not registered, or the operator hid it. */
  seller: { name: string | null; hidden: boolean };
};

/** The receipt as printed: to whom, what for, how much and when, then every fact with whose word it is. */
export function ReceiptPaper({ receipt, seller }: PaperProps) {
  const usd = amountOf(receipt.usd_amount_raw, 6);
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
      <SellerName {...seller} />
      <What receipt={receipt} />
      <div className={styles['paid']}>
        <Amount
          size="large"
          value={decimalOf(receipt.amount_raw, receipt.decimals)}
          token={receipt.token}
        />
        <span className={styles['worth']}>
          <span className="muted small">
            {usd} USD ({basisOf(receipt)})
          </span>
          <Badge kind="service" />
        </span>
        <LocalWorth txSignature={receipt.tx_signature} />
      </div>
      <Facts facts={factsOf(receipt)} />
      <ReceiptBeside receipt={receipt} />
    </article>
  );
}

/** The name stands beside the wallet that gave it, so it is marked as that wallet's word. */
function SellerName({ name, hidden }: PaperProps['seller']) {
  if (name === null)
    return hidden ? <p className="muted small">The operator hid the name of the seller.</p> : null;
  return (
    <p className={styles['seller']}>
      <bdi>{name}</bdi> <Badge kind="self">Name given by the seller</Badge>
    </p>
  );
}

/** What the payment was for, as the wallet that asked for the receipt says. */
function What({ receipt }: { receipt: ReceiptBody }) {
  if (receipt.labels_hidden)
    return (
      <p className="muted">
        The operator hid what was written here. The signed file on permanent storage is unchanged.
      </p>
    );
  return (
    <p className={styles['for']}>
      <bdi>{receipt.service_type}</bdi>{' '}
      <Badge kind="self">Stated by the {receipt.reported_by}</Badge>
    </p>
  );
}

function factsOf(receipt: ReceiptBody): Fact[] {
  const chain = <Badge kind="chain" />;
  const stated = <Badge kind="self">Stated by the {receipt.reported_by}</Badge>;
  const service = <Badge kind="service" />;
  const label = (term: string, value: string | null): Fact[] =>
    value === null ? [] : [{ term, value: <bdi>{value}</bdi>, mark: stated }];
  const valued = (term: string, value: string | null): Fact[] =>
    value === null ? [] : [{ term, value: <span className="mono">{value}</span>, mark: service }];
  return [
    { term: 'Paid to', value: <Address value={receipt.seller} label="Seller" />, mark: chain },
    { term: 'Paid by', value: <Address value={receipt.payer} label="Payer" />, mark: chain },
    { term: 'Date', value: <LocalTime value={receipt.block_time} />, mark: chain },
    {
      term: 'Transaction',
      value: <Address value={receipt.tx_signature} kind="transaction" label="Transaction" />,
      mark: chain,
    },
    ...label('Invoice', receipt.labels_hidden ? null : receipt.invoice_id),
    ...label('Kind', receipt.labels_hidden ? null : receipt.transaction_type),
    ...valued('Token code', receipt.dtif_code),
  ];
}
