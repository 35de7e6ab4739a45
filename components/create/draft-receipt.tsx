'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useLocale, useTranslations } from 'next-intl';
import type { Translate } from '@/i18n/translate';
import type { AppRouter } from '@/server/api/app-router';
import { Address } from '../ui/address';
import { Amount, amountOf, decimalOf } from '../ui/amount';
import { Badge } from '../ui/badge';
import { dateText } from '../ui/dates';
import { Facts, type Fact } from '../ui/facts';
import { Money } from '../ui/money';
import { Time } from '../ui/time';
import { English } from '../use-error-words';
import styles from './create.module.css';
import paper from '../ui/paper.module.css';

export type Preview = inferRouterOutputs<AppRouter>['web']['preview'];
/** The chain's facts about the payment, which the reader does not fill in. */
export function ProvenPart({ preview }: { preview: Preview }) {
  const t = useTranslations('create');
  const locale = useLocale();
  const { transaction, local } = preview;
  const worth = local
    ? t.rich('worth', {
        money: () => (
          <Money
            value={decimalOf(local.amount_raw, local.decimals, local.decimals)}
            currency={local.currency}
          />
        ),
        date: dateText(local.rate_date, locale, 'day'),
      })
    : null;
  return (
    <>
      <div className={`${paper['head']} ${styles['ruled']}`}>
        <span className={paper['title']}>{t('term.receipt')}</span>
        {transaction.status === 'settled' ? (
          <Badge kind="chain" />
        ) : (
          <Badge kind="pending">{t('notFinal')}</Badge>
        )}
      </div>
      {transaction.status === 'settled' ? null : <p className="muted small">{t('notFinalText')}</p>}
      <Amount
        size="large"
        value={decimalOf(transaction.amount_raw, transaction.decimals)}
        token={transaction.token.length > 12 ? t('unknownToken') : transaction.token}
        worth={worth ?? (preview.local_error && <English>{preview.local_error}</English>)}
      />
      <Facts facts={factsOf(preview, t, locale)} />
    </>
  );
}

function factsOf({ transaction, local }: Preview, t: Translate<'create'>, locale: string): Fact[] {
  const amount = (raw: string, decimals: number) => amountOf(raw, decimals, locale);
  return [
    { term: t('term.by'), value: <Address value={transaction.sender} label={t('term.payer')} /> },
    {
      term: t('term.to'),
      value: <Address value={transaction.receiver} label={t('term.seller')} />,
    },
    { term: t('term.date'), value: <Time value={transaction.block_time} precision="second" /> },
    ...(transaction.dtif_code
      ? [{ term: t('term.code'), value: <span className="mono">{transaction.dtif_code}</span> }]
      : []),
    ...(transaction.fee_withheld_raw === '0'
      ? []
      : [
          {
            term: t('term.fee'),
            value: t('withheld', {
              amount: amount(transaction.fee_withheld_raw, transaction.decimals),
              token: transaction.token,
            }),
          },
        ]),
    ...(transaction.other_legs.length === 0
      ? []
      : [
          {
            term: t('term.also'),
            value: transaction.other_legs
              .map((leg) => `${amount(leg.amount_raw, leg.decimals)} ${leg.token}`)
              .join(', '),
          },
        ]),
    ...(local && local.currency !== 'USD'
      ? [
          {
            term: t('term.rate'),
            value: t(local.provisional ? 'rateOpen' : 'rate', {
              source: local.rate_source,
              date: dateText(local.rate_date, locale, 'day'),
            }),
          },
        ]
      : []),
    {
      term: t('term.transaction'),
      value: (
        <Address
          value={transaction.tx_signature}
          kind="transaction"
          label={t('term.transaction')}
        />
      ),
    },
  ];
}
