'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useRef, useState, type ReactNode } from 'react';
import { apiClient } from '../api-client';
import { readName } from '../create/read-input';
import { Button } from '../ui/button';
import { Field, Select } from '../ui/field';
import styles from './dashboard.module.css';
import { PERIODS, type PeriodName } from './period';

export type Filter = {
  period: PeriodName;
  /** Mint, `SOL`, or empty for all. */
  token: string;
  /** Whose currency values are shown in; null until one is chosen. */
  country: string | null;
  search: string;
  status: '' | 'pending' | 'failed';
};

/** A name that was searched, and the wallet that it stands for; empty where it stands for none for certain. */
type Named = { name: string; wallet: string };

type FiltersProps = {
  filter: Filter;
  onChange: (change: Partial<Filter>) => void;
  tokens: readonly { token: string; mint: string | null }[];
  countries: readonly { code: string; currency: string }[];
};

/** One row of filters over everything below it. */
export function Filters({ filter, onChange, tokens, countries }: FiltersProps) {
  const t = useTranslations('dashboard');
  const locale = useLocale();
  const [text, setText] = useState(filter.search);
  const [named, setNamed] = useState<Named | null>(null);
  const currencies = new Map(countries.map(({ code, currency }) => [currency, code]));
  const own = countries.find(({ code }) => code === filter.country);
  // Several countries share a currency: the one that is chosen stands for it.
  if (own) currencies.set(own.currency, own.code);
  // A name is looked up for a while: its answer counts only for the newest search, while the text stays.
  const newest = useRef(0);
  /** A name is searched as the wallet it stands for, else as the words of a note or label. */
  const search = async () => {
    newest.current += 1;
    const mine = newest.current;
    const words = text.trim();
    const name = readName(words);
    const wallet = name === null ? '' : await walletOf(name);
    if (newest.current !== mine) return;
    setNamed(name === null ? null : { name, wallet });
    onChange({ search: wallet === '' ? words : wallet });
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
        onChange={({ target }) => {
          const period = PERIODS.find((value) => value === target.value);
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
        onChange={({ target }) => onChange({ token: target.value })}
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
        onChange={({ target: { value } }) =>
          onChange({ status: value === 'pending' || value === 'failed' ? value : '' })
        }
      />
      <Select
        size="small"
        label={t('filters.currency')}
        value={filter.country ?? 'US'}
        options={[...currencies]
          .map(([currency, code]) => ({ value: code, label: currency }))
          .sort((a, b) => a.label.localeCompare(b.label, locale))}
        onChange={({ target }) => onChange({ country: target.value })}
      />
      <div className={styles['search']}>
        <div className={styles['words']}>
          <Field
            size="small"
            type="search"
            label={t('filters.search')}
            placeholder={t('filters.searchIn')}
            maxLength={120}
            value={text}
            onChange={({ target }) => {
              newest.current += 1;
              setText(target.value);
              setNamed(null);
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
