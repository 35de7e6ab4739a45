import { useTranslations } from 'next-intl';
import type { Translate } from '@/i18n/translate';
import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import { Address } from '../ui/address';
import { Amount, decimalOf } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Facts, type Fact } from '../ui/facts';
import { LocalTime } from '../ui/local-time';
import { Money } from '../ui/money';
import paper from '../ui/paper.module.css';
import { LocalWorth } from './local-worth';
import { ReceiptBeside } from './receipt-beside';
import styles from './receipt.module.css';

/** The origin of the value in dollars. */
function basisOf(
  t: Translate<'receipt'>,
  { valuation, token, valuation_source: source }: ReceiptBody,
): string {
  if (valuation === 'par') return t('paper.basis.par', { token });
  const basis = valuation === 'fx' ? 'fx' : 'market';
  return source === null ? t(`paper.basis.${basis}`) : t(`paper.basis.${basis}By`, { source });
}

type PaperProps = {
  receipt: ReceiptBody;
  /**
   * The seller's registered name. Null if the seller is not registered, or the operator hid the
   * name.
   */
  seller: { name: string | null; hidden: boolean };
};

/**
 * The receipt as printed: receiver, purpose, amount and time, then every fact, marked as "verified
 * on chain" or with the party that stated it.
 */
export function ReceiptPaper({ receipt, seller }: PaperProps) {
  const t = useTranslations('receipt');
  return (
    <article className={`${paper['paper']} ${paper['torn']}`} aria-labelledby="receipt-title">
      <div className={`${paper['head']} ${styles['head']}`}>
        <span className={paper['title']} aria-hidden="true">
          {t('paper.heading')}
        </span>
        <h1 id="receipt-title" className="mono">
          <span className="unseen">{t('paper.receipt')} </span>
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
            {t.rich('paper.worth', {
              money: () => <Money value={decimalOf(receipt.usd_amount_raw, 6)} currency="USD" />,
              basis: basisOf(t, receipt),
            })}
          </span>
          <Badge kind="service" />
        </span>
        <LocalWorth txSignature={receipt.tx_signature} />
      </div>
      <Facts facts={factsOf(t, receipt)} />
      <ReceiptBeside receipt={receipt} />
    </article>
  );
}

/** The name is next to the wallet that gave it, and is marked as that wallet's statement. */
function SellerName({ name, hidden }: PaperProps['seller']) {
  const t = useTranslations('receipt');
  if (name === null)
    return hidden ? <p className="muted small">{t('paper.sellerHidden')}</p> : null;
  return (
    <p className={styles['seller']}>
      <bdi>{name}</bdi> <Badge kind="self">{t('paper.stated', { by: 'seller' })}</Badge>
    </p>
  );
}

/** The purpose of the payment, as the requesting wallet states it. */
function What({ receipt }: { receipt: ReceiptBody }) {
  const t = useTranslations('receipt');
  if (receipt.labels_hidden) return <p className="muted">{t('paper.labelsHidden')}</p>;
  return (
    <p className={styles['for']}>
      <bdi>{receipt.service_type}</bdi>{' '}
      <Badge kind="self">{t('paper.stated', { by: receipt.reported_by })}</Badge>
    </p>
  );
}

function factsOf(t: Translate<'receipt'>, receipt: ReceiptBody): Fact[] {
  const chain = <Badge kind="chain" />;
  const stated = <Badge kind="self">{t('paper.stated', { by: receipt.reported_by })}</Badge>;
  const service = <Badge kind="service" />;
  const label = (term: string, value: string | null): Fact[] =>
    value === null ? [] : [{ term, value: <bdi>{value}</bdi>, mark: stated }];
  const valued = (term: string, value: string | null): Fact[] =>
    value === null ? [] : [{ term, value: <span className="mono">{value}</span>, mark: service }];
  return [
    {
      term: t('paper.paidTo'),
      value: <Address value={receipt.seller} label={t('paper.seller')} />,
      mark: chain,
    },
    {
      term: t('paper.paidBy'),
      value: <Address value={receipt.payer} label={t('paper.payer')} />,
      mark: chain,
    },
    { term: t('paper.date'), value: <LocalTime value={receipt.block_time} />, mark: chain },
    {
      term: t('paper.transaction'),
      value: (
        <Address value={receipt.tx_signature} kind="transaction" label={t('paper.transaction')} />
      ),
      mark: chain,
    },
    ...label(t('paper.invoice'), receipt.labels_hidden ? null : receipt.invoice_id),
    ...label(t('paper.kind'), receipt.labels_hidden ? null : receipt.transaction_type),
    ...valued(t('paper.tokenCode'), receipt.dtif_code),
  ];
}
