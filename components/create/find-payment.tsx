'use client';

import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/server/api/app-router';
import { api } from '../api';
import { failureOf, type ApiFailure } from '../api-client';
import { useSite } from '../site-context';
import { Amount, decimalOf } from '../ui/amount';
import { shorten } from '../ui/address';
import { Badge } from '../ui/badge';
import { Banner } from '../ui/banner';
import { Button, ButtonLink } from '../ui/button';
import { Field } from '../ui/field';
import { plural } from '../ui/plural';
import { Skeleton } from '../ui/skeleton';
import { formatUtc } from '../ui/time';
import { useAnnounce } from '../ui/announcer';
import { readInput } from './read-input';
import styles from './create.module.css';

type Recent = inferRouterOutputs<AppRouter>['web']['recentPayments']['payments'][number];

/** The field that everything begins with. */
export function PaymentField({
  value,
  onChange,
}: {
  value: string;
  onChange: (text: string) => void;
}) {
  const read = readInput(value);
  return (
    <>
      <Field
        label="Which payment?"
        mono
        value={value}
        placeholder="Transaction link or signature"
        onChange={(event) => onChange(event.target.value)}
        help="Paste a transaction link or signature, or a wallet address to choose from its recent payments."
        error={read.kind === 'other' ? read.why : null}
      />
      <div role="status">
        {read.kind === 'page' ? (
          <Banner
            quiet
            title={`This is a link to ${read.name}`}
            actions={
              <ButtonLink href={read.path} size="small">
                Open {read.name}
              </ButtonLink>
            }
          >
            It is made already. To make another one, paste a link to its payment.
          </Banner>
        ) : null}
      </div>
    </>
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
  const announce = useAnnounce();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, ...next } =
    api.web.recentPayments.useInfiniteQuery({ wallet }, { getNextPageParam: ({ older }) => older });
  if (isPending)
    return (
      <div className="card">
        <Skeleton lines={4} label="Reading the recent payments of the wallet" />
      </div>
    );
  const why = error ? wordsOf(failureOf(error)) : null;
  if (!data)
    return (
      <Banner
        kind="error"
        title="The recent payments could not be read"
        actions={
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {why}
      </Banner>
    );
  const payments = joinPages(data.pages);
  const older = hasNextPage ? (
    <div>
      <Button
        size="small"
        busy={next.isFetchingNextPage}
        onClick={() =>
          void fetchNextPage().then(({ data: now, isError }) => {
            if (isError) return;
            const count = joinPages(now?.pages ?? []).length - payments.length;
            announce(plural(count, 'older payment'));
          })
        }
      >
        Show older payments
      </Button>
    </div>
  ) : null;
  const failed = next.isFetchNextPageError ? (
    <Banner kind="error" title="Older payments could not be read">
      {why}
    </Banner>
  ) : null;
  if (payments.length === 0)
    return (
      <div className="stack">
        <Banner quiet title="No recent payments" actions={older}>
          The latest transactions of this wallet contain no payment that can have a receipt. If you
          know an older one, paste its signature above.
        </Banner>
        {failed}
      </div>
    );
  return (
    <section aria-label="Recent payments" className="stack">
      <h2 className="unseen">Recent payments</h2>
      <ul className={styles['recent']}>
        {payments.map((payment) => (
          <li key={payment.tx_signature}>
            <RecentPayment payment={payment} onPick={onPick} />
          </li>
        ))}
      </ul>
      {failed}
      {older}
      {hasNextPage ? null : <p className="muted small">No older payments.</p>}
    </section>
  );
}

/** Why payments could not be read. */
function wordsOf({ code, message }: ApiFailure): string {
  return code === 'chain_unavailable'
    ? 'Our Solana nodes do not answer at the moment. Try again in a few minutes.'
    : message;
}

/** Pages overlap where one ended within a slot. */
function joinPages(pages: readonly { payments: Recent[] }[]): Recent[] {
  const all = pages.flatMap(({ payments }) => payments);
  return [...new Map(all.map((payment) => [payment.tx_signature, payment])).values()];
}

function RecentPayment({
  payment,
  onPick,
}: {
  payment: Recent;
  onPick: (txSignature: string) => void;
}) {
  const { serviceName } = useSite();
  return (
    <button
      type="button"
      className={styles['payment']}
      onClick={() => onPick(payment.tx_signature)}
    >
      <span>
        {payment.is_fee ? (
          `Fee paid to ${serviceName}`
        ) : (
          <>
            {payment.role === 'payer' ? 'Paid to ' : 'From '}
            <span className="mono">{shorten(payment.counterparty)}</span>
          </>
        )}
        <span className="muted small"> {formatUtc(payment.block_time)}</span>
      </span>
      <span className={styles['worth']}>
        {payment.receipt_id ? <Badge kind="completed">Has a receipt</Badge> : null}
        <Amount value={decimalOf(payment.amount_raw, payment.decimals)} token={payment.token} />
      </span>
    </button>
  );
}
