'use client';

import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/server/api/app-router';
import { api } from '../api';
import { failureOf } from '../api-client';
import { Amount, decimalOf } from '../ui/amount';
import { shorten } from '../ui/address';
import { Badge } from '../ui/badge';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Skeleton } from '../ui/skeleton';
import { formatUtc } from '../ui/time';
import styles from './create.module.css';

type Recent = inferRouterOutputs<AppRouter>['web']['recentPayments']['payments'][number];

/** A base58 text of 64 bytes is a signature, one of 32 a wallet. */
export function kindOf(text: string): 'empty' | 'signature' | 'wallet' | 'neither' {
  if (text === '') return 'empty';
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return 'neither';
  if (text.length >= 80 && text.length <= 88) return 'signature';
  return text.length >= 32 && text.length <= 44 ? 'wallet' : 'neither';
}

/** Explorers' addresses are what people have at hand: the signature in one is taken out of it. */
function cleanInput(text: string): string {
  const trimmed = text.trim();
  return /\/(?:tx|transaction)\/([1-9A-HJ-NP-Za-km-z]{80,88})/.exec(trimmed)?.[1] ?? trimmed;
}

/** The field that everything begins with. */
export function PaymentField({
  value,
  onChange,
}: {
  value: string;
  onChange: (v: string) => void;
}) {
  return (
    <Field
      label="Transaction or wallet"
      mono
      value={value}
      placeholder="Paste a transaction signature"
      onChange={(event) => onChange(cleanInput(event.target.value))}
      help="The signature of a payment, a link to it in an explorer, or a wallet to choose from its payments."
      error={
        kindOf(value) === 'neither'
          ? 'This is neither a transaction signature (about 88 letters and digits) nor a wallet address.'
          : null
      }
    />
  );
}

/** The last payments of a wallet, to pick from. */
export function RecentPayments({
  wallet,
  onPick,
}: {
  wallet: string;
  onPick: (txSignature: string) => void;
}) {
  const { data, error, isPending, refetch } = api.web.recentPayments.useQuery({ wallet });
  if (isPending)
    return (
      <div className="card">
        <Skeleton lines={4} label="Reading the last payments of the wallet" />
      </div>
    );
  if (error) {
    const failure = failureOf(error);
    return (
      <Banner
        kind="error"
        title="The last payments could not be read"
        actions={
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {failure.code === 'chain_unavailable'
          ? 'The Solana network cannot be reached at the moment. You can paste a signature instead.'
          : failure.message}
      </Banner>
    );
  }
  if (data.payments.length === 0)
    return (
      <Banner quiet title="No recent payments">
        The last transactions of this wallet hold no payment that a receipt can be made for. If you
        know one that is older, paste its signature above.
      </Banner>
    );
  return (
    <section aria-label="Recent payments">
      <h2 className="unseen">Recent payments</h2>
      <ul className={styles['recent']}>
        {data.payments.map((payment) => (
          <li key={payment.tx_signature}>
            <RecentPayment payment={payment} onPick={onPick} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecentPayment({
  payment,
  onPick,
}: {
  payment: Recent;
  onPick: (txSignature: string) => void;
}) {
  return (
    <button
      type="button"
      className={styles['payment']}
      onClick={() => onPick(payment.tx_signature)}
    >
      <span>
        {payment.role === 'payer' ? 'Paid to ' : 'From '}
        <span className="mono">{shorten(payment.counterparty)}</span>
        <span className="muted small"> {formatUtc(payment.block_time)}</span>
      </span>
      <span className={styles['worth']}>
        {payment.receipt_id ? <Badge kind="completed">Has a receipt</Badge> : null}
        <Amount value={decimalOf(payment.amount_raw, payment.decimals)} token={payment.token} />
      </span>
    </button>
  );
}
