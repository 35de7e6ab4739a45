'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useAnnounce } from '../ui/announcer';
import { Banner } from '../ui/banner';
import { LoadFailed } from '../ui/load-failed';
import { Skeleton } from '../ui/skeleton';
import { useSettled } from '../ui/use-settled';
import { useErrorWords } from '../use-error-words';
import { RecentPayments } from './recent-payments';

/** A wallet by its address or by a name. */
export type Named = { wallet: string } | { name: string };

/** The payments of a wallet, to choose from. */
export function PickPayment({ of, onPick }: { of: Named; onPick: (txSignature: string) => void }) {
  return 'wallet' in of ? (
    <RecentPayments wallet={of.wallet} onPick={onPick} />
  ) : (
    <NamedWallet name={of.name} onPick={onPick} />
  );
}

/** The wallet behind a name, with its whole address, and its last payments to choose from. */
function NamedWallet(o: { name: string; onPick: (txSignature: string) => void }) {
  const name = useSettled(o.name);
  const t = useTranslations('create');
  const announce = useAnnounce();
  const errorWords = useErrorWords();
  // Names change owners, so no cached answer is used. The shown address stays until the name
  // changes.
  const { data, error, isPending, refetch } = api.web.lookUpName.useQuery(
    { name },
    {
      enabled: name === o.name,
      gcTime: 0,
      staleTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  );
  useEffect(() => {
    if (data?.state === 'found') announce(t('name.found', { name: data.name }));
  }, [data, announce, t]);
  if (error)
    return (
      <LoadFailed title={t('name.failed')} onAgain={refetch}>
        {errorWords(failureOf(error))}
      </LoadFailed>
    );
  if (isPending || data.name !== o.name)
    return (
      <div className="card">
        <Skeleton lines={2} label={t('name.reading')} />
      </div>
    );
  if (data.state !== 'found')
    return (
      <Banner kind="warning" title={t(`name.${data.state}`, { name: data.name })}>
        {t(`name.${data.state}Text`, { name: data.name })}
      </Banner>
    );
  return (
    <div className="stack">
      <Banner quiet title={t('name.found', { name: data.name })}>
        <p className="mono">{data.address}</p>
        <p>{t('name.foundText')}</p>
      </Banner>
      <RecentPayments wallet={data.address} onPick={o.onPick} />
    </div>
  );
}
