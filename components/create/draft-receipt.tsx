'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { Translate } from '@/i18n/translate';
import type { AppRouter } from '@/server/api/app-router';
import { Address } from '../ui/address';
import { Amount, amountOf, decimalOf } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Facts, type Fact } from '../ui/facts';
import { Field } from '../ui/field';
import { Time } from '../ui/time';
import { useSite } from '../site-context';
import { English } from '../use-error-words';
import { proofText } from '../wallet/signer';
import styles from './create.module.css';
import paper from '../ui/paper.module.css';

export type Preview = inferRouterOutputs<AppRouter>['web']['preview'];
export type LabelTexts = {
  service_type: string;
  transaction_type: string;
  invoice_id: string;
};

/** What the chain says of the payment: the part of the receipt that nobody has to fill in. */
export function ProvenPart({ preview }: { preview: Preview }) {
  const t = useTranslations('create');
  const locale = useLocale();
  const { transaction, local } = preview;
  const worth = local
    ? t('worth', {
        amount: amountOf(local.amount_raw, local.decimals, locale, local.decimals),
        currency: local.currency,
        date: local.rate_date,
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
              date: local.rate_date,
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

/** What is missing on the receipt, what happens to it, and the button with the price. */
export function LabelsForm({
  preview,
  priceRaw,
  initial,
  disabled,
  connect,
  refused,
  onSubmit,
}: {
  preview: Preview;
  priceRaw: string;
  initial: LabelTexts;
  /** A wallet that is part of the payment is not there yet. */
  disabled: boolean;
  /** Stands in place of the button until a wallet is connected. */
  connect: ReactNode;
  /** Why the service refuses an entry, in English, by its name. */
  refused: Readonly<Record<string, string>>;
  onSubmit: (labels: LabelTexts) => void;
}) {
  const { serviceName } = useSite();
  const t = useTranslations('create');
  const price = `${amountOf(priceRaw, 6, useLocale())} USDC`;
  const isFree = priceRaw === '0';
  const [labels, setLabels] = useState(initial);
  const [isMissing, setMissing] = useState(false);
  const set = (name: keyof LabelTexts) => (event: { target: { value: string } }) =>
    setLabels((before) => ({ ...before, [name]: event.target.value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (disabled) return;
    const missing = labels.service_type.trim() === '';
    setMissing(missing);
    if (!missing) onSubmit(labels);
  };
  const form = useRef<HTMLFormElement>(null);
  // The page showed the progress meanwhile, so the focus is nowhere.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);
  const refusal = (name: keyof LabelTexts) =>
    refused[name] === undefined ? null : <English>{refused[name]}</English>;
  const text = proofText(serviceName, preview.transaction.tx_signature);
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      <div className={styles['labels']}>
        <Field
          label={t('label.for')}
          value={labels.service_type}
          maxLength={64}
          required
          aria-required="true"
          placeholder={t('label.forExample')}
          onChange={set('service_type')}
          error={isMissing ? t('label.forMissing') : refusal('service_type')}
        />
        <div className={styles['pair']}>
          <Field
            label={t('label.invoice')}
            optional
            value={labels.invoice_id}
            maxLength={64}
            onChange={set('invoice_id')}
            error={refusal('invoice_id')}
          />
          <Field
            label={t('label.kind')}
            optional
            value={labels.transaction_type}
            maxLength={32}
            placeholder={t('label.kindExample')}
            onChange={set('transaction_type')}
            error={refusal('transaction_type')}
          />
        </div>
      </div>
      <div className="stack small">
        <ul className={styles['notes']}>
          <li>{t.rich('notes.public', { b: bold })}</li>
          <li>{t.rich('notes.shared', { b: bold })}</li>
          <li>
            {t.rich(isFree ? 'notes.asksOnce' : 'notes.asksTwice', {
              text,
              price,
              b: bold,
              code: (message) => <code>{message}</code>,
            })}
          </li>
        </ul>
      </div>
      {connect ?? (
        <Button type="submit" variant="primary" wide disabled={disabled}>
          {isFree ? t('createFree') : t('create', { price })}
        </Button>
      )}
    </form>
  );
}

function bold(text: ReactNode) {
  return <strong>{text}</strong>;
}
