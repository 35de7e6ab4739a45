'use client';

import { useLocale, useTranslations } from 'next-intl';
import { languageOf } from '@/i18n/locales';
import { explorerUrl } from '../explorer-url';
import { useSite } from '../site-context';
import styles from './address.module.css';
import { classNames } from './class-names';
import { Sign } from './sign';
import { useToast } from './toast';

type AddressProps = {
  value: string;
  kind?: 'address' | 'transaction';
  /** The kind of address, for screen readers: "Payer", "Transaction". */
  label: string;
  /** The value alone, for places with other controls, like a dense table. */
  bare?: boolean;
};

/**
 * `7uS8…kV3p`: a short form that is whole on focus and when read aloud, with copy and explorer
 * controls.
 */
export function Address({ value, kind = 'address', label, bare = false }: AddressProps) {
  const { network } = useSite();
  const toast = useToast();
  const t = useTranslations('ui');
  // German nouns keep their capital within a line.
  const isGerman = languageOf(useLocale()) === 'de';
  const explorer = explorerUrl(network, kind, value);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      toast(t('copied', { label }));
    } catch {
      toast(t('copyFailed'));
    }
  };
  return (
    <span className={classNames(styles['address'], bare && styles['bare'])}>
      <span className={styles['value']} tabIndex={0} role="text" aria-label={`${label} ${value}`}>
        <span className={styles['short']}>{shorten(value)}</span>
        <span className={styles['whole']}>{value}</span>
      </span>
      {bare ? null : (
        <button
          type="button"
          className={styles['tool']}
          aria-label={t('copy', { label: isGerman ? label : label.toLowerCase() })}
          onClick={copy}
        >
          <Sign name="copy" />
        </button>
      )}
      {explorer && !bare ? (
        <a
          className={styles['tool']}
          href={explorer}
          target="_blank"
          rel="noreferrer"
          aria-label={t('inExplorer', { label })}
        >
          <Sign name="outside" />
        </a>
      ) : null}
    </span>
  );
}

/** First and last four characters. */
export function shorten(value: string): string {
  return value.length <= 12 ? value : `${value.slice(0, 4)}…${value.slice(-4)}`;
}
