'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { AppRouter } from '@/server/api/app-router';
import { Address } from '../ui/address';
import { Amount, amountOf, decimalOf } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Facts, type Fact } from '../ui/facts';
import { Field } from '../ui/field';
import { Time } from '../ui/time';
import { useSite } from '../site-context';
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
  const { transaction: t, local } = preview;
  const worth = local
    ? `${amountOf(local.amount_raw, local.decimals, local.decimals)} ${local.currency} on ${local.rate_date}`
    : null;
  return (
    <>
      <div className={`${paper['head']} ${styles['ruled']}`}>
        <span className={paper['title']}>RECEIPT</span>
        {t.status === 'settled' ? (
          <Badge kind="chain" />
        ) : (
          <Badge kind="pending">Not final yet</Badge>
        )}
      </div>
      <Amount
        size="large"
        value={decimalOf(t.amount_raw, t.decimals)}
        token={t.token.length > 12 ? 'unknown token' : t.token}
        worth={worth ?? preview.local_error}
      />
      <Facts facts={factsOf(preview)} />
    </>
  );
}

function factsOf({ transaction: t, local }: Preview): Fact[] {
  return [
    { term: 'Paid by', value: <Address value={t.sender} label="Payer" /> },
    { term: 'Paid to', value: <Address value={t.receiver} label="Seller" /> },
    { term: 'Date', value: <Time value={t.block_time} precision="second" /> },
    ...(t.dtif_code
      ? [{ term: 'Token code', value: <span className="mono">{t.dtif_code}</span> }]
      : []),
    ...(t.fee_withheld_raw === '0'
      ? []
      : [
          {
            term: 'Token fee',
            value: `${decimalOf(t.fee_withheld_raw, t.decimals)} ${t.token}, kept by the token itself`,
          },
        ]),
    ...(t.other_legs.length === 0
      ? []
      : [
          {
            term: 'Also paid',
            value: t.other_legs
              .map((leg) => `${decimalOf(leg.amount_raw, leg.decimals)} ${leg.token}`)
              .join(', '),
          },
        ]),
    ...(local && local.currency !== 'USD'
      ? [
          {
            term: 'Rate',
            value: `${local.rate_source}, ${local.rate_date}${local.provisional ? ', may still change' : ''}`,
          },
        ]
      : []),
    {
      term: 'Transaction',
      value: <Address value={t.tx_signature} kind="transaction" label="Transaction" />,
    },
  ];
}

/** The words of the price, as they stand on the button. */
function priceWords(priceRaw: string): string {
  return priceRaw === '0' ? 'free' : `${decimalOf(priceRaw, 6)} USDC`;
}

/** What is missing on the receipt, what happens to it, and the button with the price. */
export function LabelsForm({
  preview,
  priceRaw,
  initial,
  disabled,
  connect,
  onSubmit,
}: {
  preview: Preview;
  priceRaw: string;
  initial: LabelTexts;
  /** A wallet that is part of the payment is not there yet. */
  disabled: boolean;
  /** Stands in place of the button until a wallet is connected. */
  connect: ReactNode;
  onSubmit: (labels: LabelTexts) => void;
}) {
  const { serviceName } = useSite();
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
  const text = proofText(serviceName, preview.transaction.tx_signature);
  return (
    <form className="stack" onSubmit={submit}>
      <div className={styles['labels']}>
        <Field
          label="What was it for?"
          value={labels.service_type}
          maxLength={64}
          required
          aria-required="true"
          placeholder="API access, March"
          onChange={set('service_type')}
          error={isMissing ? 'Say in a few words what the payment was for.' : null}
        />
        <div className={styles['pair']}>
          <Field
            label="Invoice number"
            optional
            value={labels.invoice_id}
            maxLength={64}
            onChange={set('invoice_id')}
          />
          <Field
            label="Kind of payment"
            optional
            value={labels.transaction_type}
            maxLength={32}
            placeholder="sale"
            onChange={set('transaction_type')}
          />
        </div>
      </div>
      <div className="stack small">
        <ul className={styles['notes']}>
          <li>
            <strong>Public and permanent:</strong> everything on the receipt, including your entries
            here. Nobody can change or remove it later, so leave out names and addresses of people.
          </li>
          <li>
            <strong>Shared with the seller only:</strong> your country, if you are the payer. We
            don’t keep your IP address. Neither appears on the receipt.
          </li>
          <li>
            <strong>
              {priceRaw === '0' ? 'Your wallet asks once:' : 'Your wallet asks twice:'}
            </strong>{' '}
            to prove it is yours, with the message <code>{text}</code> (free)
            {priceRaw === '0'
              ? '. The receipt is free, too.'
              : `, then to pay the ${priceWords(priceRaw)} fee. Solana takes a fraction of a cent in SOL.`}
          </li>
        </ul>
      </div>
      {connect ?? (
        <Button type="submit" variant="primary" wide disabled={disabled}>
          Create receipt, {priceWords(priceRaw)}
        </Button>
      )}
    </form>
  );
}
