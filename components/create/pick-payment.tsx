'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useAnnounce } from '../ui/announcer';
import { Banner } from '../ui/banner';
import { LoadFailed } from '../ui/load-failed';
import { Skeleton } from '../ui/skeleton';
import { useErrorWords } from '../use-error-words';
import { RecentPayments } from './recent-payments';

/** How long a text must stay the same before its name is looked up. */
const SETTLED_MS = 400;

/** A wallet by its address or by a name. */
export type Named = { wallet: string } | { name: string };

/** The payments of a wallet, to pick one from. */
export function PickPayment({ of, onPick }: { of: Named; onPick: (txSignature: string) => void }) {
  return 'wallet' in of ? (
    <RecentPayments wallet={of.wallet} onPick={onPick} />
  ) : (
    <NamedWallet name={of.name} onPick={onPick} />
  );
}

/** The wallet that a name stands for, with its whole address, then its last payments to pick from. */
function NamedWallet(o: { name: string; onPick: (txSignature: string) => void }) {
  const name = useSettled(o.name);
  const t = useTranslations('create');
  const announce = useAnnounce();
  const errorWords = useErrorWords();
  // Names change hands: nothing is taken from a cache, and the address that is shown stays until the name changes.
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

/** A value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
