'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, type ReactNode } from 'react';
import { apiClient } from '../api-client';
import { readName } from '../create/read-input';
import { currencyOptions } from '../currency-options';
import { Button } from '../ui/button';
import { Field, Select } from '../ui/field';
import styles from './dashboard.module.css';
import { PERIODS } from './period';
import type { ChangeView, Filter, Named, View } from './view';

type FiltersProps = {
  view: View;
  change: ChangeView;
  /** The country whose currency values are shown in. */
  country: string;
  tokens: readonly { token: string; mint: string | null }[];
  /** If the list did not load, only the currency that is shown. */
  countries: readonly { code: string; currency: string }[];
  /** Loads the list again. Null unless it failed to load. */
  onCountriesAgain: (() => void) | null;
};

/** One row of filters over everything below it. */
export function Filters(o: FiltersProps) {
  const { view, change, country, tokens, countries, onCountriesAgain } = o;
  const { filter, typed, named } = view;
  const t = useTranslations('dashboard');
  const ui = useTranslations('ui');
  const onChange = (changed: Partial<Filter>) =>
    change((before) => ({ filter: { ...before.filter, ...changed } }));
  // Resolving a name takes time. The answer counts only for the newest search, if the text is
  // unchanged.
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current += 1;
    },
    [],
  );
  /** A name is searched as its wallet, and if it has none, as the words of a note or label. */
  const search = async () => {
    newest.current += 1;
    const mine = newest.current;
    const words = typed.trim();
    const name = readName(words);
    const wallet = name === null ? '' : await walletOf(name);
    if (newest.current !== mine) return;
    change((before) => ({
      named: name === null ? null : { name, wallet },
      filter: { ...before.filter, search: wallet === '' ? words : wallet },
    }));
  };
  return (
    <form
      className={styles['filters']}
      onSubmit={(event) => {
        event.preventDefault();
        void search();
      }}
    >
      <Select
        size="small"
        label={t('filters.period')}
        value={filter.period}
        options={PERIODS.map((value) => ({ value, label: t(`filters.periods.${value}`) }))}
        onValue={(chosen) => {
          const period = PERIODS.find((value) => value === chosen);
          if (period) onChange({ period });
        }}
      />
      <Select
        size="small"
        label={t('filters.token')}
        value={filter.token}
        options={[
          { value: '', label: t('filters.allTokens') },
          ...tokens.map(({ token, mint }) => ({ value: mint ?? 'SOL', label: token })),
        ]}
        onValue={(token) => onChange({ token })}
      />
      <Select
        size="small"
        label={t('filters.state')}
        value={filter.status}
        options={[
          { value: '', label: t('filters.all') },
          { value: 'pending', label: t('filters.pending') },
          { value: 'failed', label: t('filters.failed') },
        ]}
        onValue={(value) =>
          onChange({ status: value === 'pending' || value === 'failed' ? value : '' })
        }
      />
      <Select
        size="small"
        label={t('filters.currency')}
        value={country}
        options={currencyOptions(countries, country)}
        onValue={(chosen) => onChange({ country: chosen })}
        help={
          onCountriesAgain && (
            <>
              {t('filters.currencyFailed')}{' '}
              <Button size="small" variant="quiet" onClick={onCountriesAgain}>
                {ui('again')}
              </Button>
            </>
          )
        }
      />
      <div className={styles['search']}>
        <div className={styles['words']}>
          <Field
            size="small"
            type="search"
            label={t('filters.search')}
            placeholder={t('filters.searchIn')}
            maxLength={120}
            value={typed}
            onValue={(text) => {
              newest.current += 1;
              // An emptied search searches for nothing, also before a press of the button.
              const isEmpty = text.trim() === '';
              change(({ filter: before }) => ({
                typed: text,
                named: null,
                ...(isEmpty && { filter: { ...before, search: '' } }),
              }));
            }}
            help={named && <NamedAs {...named} />}
          />
        </div>
        <div className={styles['go']}>
          <Button size="small" type="submit">
            {t('filters.search')}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** The whole address, which a reader can compare. */
function NamedAs({ name, wallet }: Named) {
  const t = useTranslations('dashboard');
  if (wallet === '') return t('filters.nameless', { name });
  const mono = (text: ReactNode) => <span className="mono">{text}</span>;
  return t.rich('filters.named', { name, wallet, mono });
}

async function walletOf(name: string): Promise<string> {
  try {
    const answer = await apiClient.web.lookUpName.query({ name });
    return answer.state === 'found' ? answer.address : '';
  } catch {
    return '';
  }
}
