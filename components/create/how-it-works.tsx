import { useTranslations } from 'next-intl';
import { Amount } from '../ui/amount';
import { Facts } from '../ui/facts';
import { Money } from '../ui/money';
import { Sign } from '../ui/sign';
import paper from '../ui/paper.module.css';
import styles from './create.module.css';

/** A price of the service's list: its purpose, and the rule in words. */
export type Price = { title: string; rule: string };

const STEPS = [
  ['find', 'search'],
  ['say', 'pencil'],
  ['check', 'check'],
] as const;

/** How a payment becomes a receipt. */
export function Steps() {
  const t = useTranslations('create');
  return (
    <ol className={styles['how']} aria-label={t('how.label')}>
      {STEPS.map(([step, sign]) => (
        <li key={step}>
          <span className={styles['sign']}>
            <Sign name={sign} />
          </span>
          <h2>{t(`how.${step}`)}</h2>
          <p className="muted small">{t(`how.${step}Text`)}</p>
        </li>
      ))}
    </ol>
  );
}

/** The page before a payment is chosen: a sample receipt and the prices. */
export function Offer({ prices }: { prices: readonly Price[] }) {
  const t = useTranslations('create');
  return (
    <>
      <SampleReceipt />
      <section aria-labelledby="prices" className={styles['price-list']}>
        <h2 id="prices">{t('prices')}</h2>
        <dl className={styles['prices']}>
          {prices.map(({ title, rule }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd className="muted">{rule}</dd>
            </div>
          ))}
          <div>
            <dt>{t('checking')}</dt>
            <dd className="muted">{t('checkingPrice')}</dd>
          </div>
        </dl>
      </section>
    </>
  );
}

/** An invented receipt, marked as a sample. */
function SampleReceipt() {
  const t = useTranslations('create');
  return (
    <figure className={styles['sample']}>
      <div
        className={`${paper['paper']} ${paper['torn']}`}
        role="group"
        aria-label={t('sample.label')}
      >
        <div className={`${paper['head']} ${styles['ruled']}`}>
          <span className={paper['title']}>{t('term.receipt')}</span>
          <span className="muted small">{t('sample.word')}</span>
        </div>
        <Amount
          size="large"
          value="25.00"
          token="USDC"
          worth={<Money value="25" currency="USD" />}
        />
        <Facts
          facts={[
            { term: t('term.for'), value: t('sample.for') },
            { term: t('term.to'), value: t('sample.seller') },
            { term: t('term.date'), value: t('sample.date') },
            { term: t('term.invoice'), value: '2026-0142' },
          ]}
        />
      </div>
      <figcaption className="muted small">{t('sample.note')}</figcaption>
    </figure>
  );
}
