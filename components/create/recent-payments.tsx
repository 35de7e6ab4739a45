'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import type { AppRouter } from '@/server/api/app-router';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useSite } from '../site-context';
import { shorten } from '../ui/address';
import { Amount, decimalOf } from '../ui/amount';
import { useAnnounce } from '../ui/announcer';
import { Badge } from '../ui/badge';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { LoadFailed } from '../ui/load-failed';
import { Skeleton } from '../ui/skeleton';
import { Time } from '../ui/time';
import { useErrorWords } from '../use-error-words';
import styles from './create.module.css';

type Recent = inferRouterOutputs<AppRouter>['web']['recentPayments']['payments'][number];

/** The last payments of a wallet, to choose from. */
export function RecentPayments({
  wallet,
  onPick,
}: {
  wallet: string;
  onPick: (txSignature: string) => void;
}) {
  const announce = useAnnounce();
  const t = useTranslations('create');
  const errorWords = useErrorWords();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, ...next } =
    api.web.recentPayments.useInfiniteQuery({ wallet }, { getNextPageParam: ({ older }) => older });
  const first = data?.pages[0]?.payments.length;
  useEffect(() => {
    if (first === undefined) return;
    // Once for each wallet. Pages that are added later have another announcement.
    announce(first === 0 ? t('recent.none') : t('recent.found', { count: first }));
  }, [wallet, first, announce, t]);
  if (isPending)
    return (
      <div className="card">
        <Skeleton lines={4} label={t('recent.reading')} />
      </div>
    );
  const failure = error ? failureOf(error) : null;
  const why =
    failure &&
    errorWords(failure, failure.code === 'chain_unavailable' ? t('recent.chain') : undefined);
  if (!data)
    return (
      <LoadFailed title={t('recent.failed')} onAgain={refetch}>
        {why}
      </LoadFailed>
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
            announce(t('recent.added', { count }));
          })
        }
      >
        {t('recent.older')}
      </Button>
    </div>
  ) : null;
  const failed = next.isFetchNextPageError ? (
    <Banner kind="error" title={t('recent.olderFailed')}>
      {why}
    </Banner>
  ) : null;
  if (payments.length === 0)
    return (
      <div className="stack">
        <Banner quiet title={t('recent.none')} actions={older}>
          {t('recent.noneText')}
        </Banner>
        {failed}
      </div>
    );
  return (
    <section aria-label={t('recent.title')} className="stack">
      <h2 className="unseen">{t('recent.title')}</h2>
      <ul className={styles['recent']}>
        {payments.map((payment) => (
          <li key={payment.tx_signature}>
            <RecentPayment payment={payment} onPick={onPick} />
          </li>
        ))}
      </ul>
      {failed}
      {older}
      {hasNextPage ? null : <p className="muted small">{t('recent.noOlder')}</p>}
    </section>
  );
}

/** Pages overlap when one ended within a slot. */
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
  const t = useTranslations('create');
  return (
    <button
      type="button"
      className={styles['payment']}
      onClick={() => onPick(payment.tx_signature)}
    >
      <span>
        {payment.is_fee
          ? t.rich('recent.fee', { service: serviceName, bdi: (text) => <bdi>{text}</bdi> })
          : t.rich(payment.role === 'payer' ? 'recent.to' : 'recent.from', {
              wallet: shorten(payment.counterparty),
              mono: (text) => <span className="mono">{text}</span>,
            })}
        <span className="muted small">
          {' '}
          <Time value={payment.block_time} />
        </span>
      </span>
      <span className={styles['worth']}>
        {payment.receipt_id ? <Badge kind="completed">{t('recent.has')}</Badge> : null}
        <Amount value={decimalOf(payment.amount_raw, payment.decimals)} token={payment.token} />
      </span>
    </button>
  );
}
