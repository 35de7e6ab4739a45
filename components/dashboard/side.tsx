'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '../api';
import { useSayFound } from '../ui/use-say-found';
import { useCountries } from '../use-countries';
import { useReaderCountry } from '../use-reader-country';
import { Countries } from './countries';
import { CsvLink } from './csv-link';
import styles from './dashboard.module.css';
import { Filters } from './filters';
import { periodOf } from './period';
import { Receipts } from './receipts';
import type { Role } from './role';
import { Totals } from './totals';
import type { ChangeView, View } from './view';

type SideProps = { role: Role; wallet: string; view: View; change: ChangeView };

/** One side of a wallet's payments: filters, totals, chart and rows. */
export function Side({ role, wallet, view, change }: SideProps) {
  const t = useTranslations('dashboard');
  const { filter } = view;
  const registration = api.dashboard.registration.useQuery({ wallet });
  const countries = useCountries();
  // The currency of the seller's registered country, else the reader's, until another is chosen.
  const home = countries.data?.find(({ code }) => code === registration.data?.country)?.code;
  const reader = useReaderCountry(countries.data?.map(({ code }) => code));
  const country = filter.country ?? home ?? reader ?? 'US';
  const period = periodOf(filter.period, new Date());
  const chosen = {
    ...(filter.token === '' ? {} : { token: filter.token }),
    ...(filter.search === '' ? {} : { search: filter.search }),
    ...(filter.status === '' ? {} : { status: filter.status }),
  };
  const isNarrowed = Object.keys(chosen).length > 0;
  const wish = { wallet, role, ...period, country, ...chosen };
  // Its tokens are those that can be chosen.
  const totals = api.dashboard.totals.useQuery({ wallet, role, ...period, country });
  const narrowed = api.dashboard.totals.useQuery(wish, { enabled: isNarrowed });
  const shown = isNarrowed ? narrowed : totals;
  const asked = JSON.stringify(wish);
  const [answer, setAnswer] = useState({ asked: '', words: '' });
  useSayFound({ asked, found: answer.asked === asked ? answer.words : null });
  return (
    <div className="stack-wide">
      <Filters
        {...{ view, change, country }}
        tokens={totals.data?.by_token ?? []}
        countries={countries.data ?? [{ code: country, currency: totals.data?.currency ?? 'USD' }]}
        onCountriesAgain={countries.isError ? () => void countries.refetch() : null}
      />
      <div className={role === 'seller' ? styles['overview'] : undefined}>
        <Totals role={role} totals={shown} />
        {role === 'seller' ? (
          <Countries
            wish={{ wallet, ...period, ...chosen }}
            total={shown.data?.count}
            empty={isNarrowed ? t('receipts.noMatch') : undefined}
          />
        ) : null}
      </div>
      <section className="stack" aria-labelledby={`rows-${role}`}>
        <div className={styles['between']}>
          <h2 id={`rows-${role}`}>{t('side.rows')}</h2>
          <CsvLink wallet={wallet} wish={wish} />
        </div>
        <Receipts key={asked} {...{ asked, wish, view, change }} onFound={setAnswer} />
      </section>
    </div>
  );
}
