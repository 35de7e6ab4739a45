'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '../api';
import { ButtonLink } from '../ui/button';
import { Sign } from '../ui/sign';
import { useSayFound } from '../ui/use-say-found';
import { Countries } from './countries';
import styles from './dashboard.module.css';
import { Filters, type Filter } from './filters';
import { periodOf } from './period';
import { Receipts } from './receipts';
import type { Role } from './role';
import { Totals } from './totals';

/** One side of a wallet's payments: filters, totals, chart and rows. */
export function Side({ role }: { role: Role }) {
  const t = useTranslations('dashboard');
  const [filter, setFilter] = useState<Filter>({
    period: 'year-back',
    token: '',
    country: null,
    search: '',
    status: '',
  });
  const registration = api.dashboard.registration.useQuery();
  const countries = api.web.countries.useQuery(undefined, { staleTime: Infinity });
  // The currency of where the seller says it is, until another is chosen.
  const home = countries.data?.find(({ code }) => code === registration.data?.country)?.code;
  const country = filter.country ?? home ?? 'US';
  const period = periodOf(filter.period, new Date());
  const token = filter.token === '' ? undefined : filter.token;
  const totals = api.dashboard.totals.useQuery({ role, ...period, country });
  const narrowed = api.dashboard.totals.useQuery(
    { role, ...period, country, ...(token === undefined ? {} : { token }) },
    { enabled: token !== undefined },
  );
  const shown = token === undefined ? totals : narrowed;
  const wish = {
    role,
    ...period,
    country,
    ...(token === undefined ? {} : { token }),
    ...(filter.search === '' ? {} : { search: filter.search }),
    ...(filter.status === '' ? {} : { status: filter.status }),
  };
  const asked = JSON.stringify(wish);
  const [answer, setAnswer] = useState({ asked: '', words: '' });
  useSayFound({ asked, found: answer.asked === asked ? answer.words : null });
  return (
    <div className="stack-wide">
      <Filters
        filter={{ ...filter, country }}
        onChange={(change) => setFilter((before) => ({ ...before, ...change }))}
        tokens={totals.data?.by_token ?? []}
        countries={countries.data ?? []}
      />
      <div className={role === 'seller' ? styles['overview'] : undefined}>
        <Totals role={role} totals={shown} />
        {role === 'seller' ? <Countries period={period} total={totals.data?.count} /> : null}
      </div>
      <section className="stack" aria-labelledby={`rows-${role}`}>
        <div className={styles['between']}>
          <h2 id={`rows-${role}`}>{t('side.rows')}</h2>
          <ButtonLink
            size="small"
            href={`/dashboard/receipts.csv?${new URLSearchParams(wish).toString()}`}
            download
          >
            <Sign name="down" /> {t('side.csv')}
          </ButtonLink>
        </div>
        <Receipts key={asked} {...{ asked, wish }} onFound={setAnswer} />
      </section>
    </div>
  );
}
