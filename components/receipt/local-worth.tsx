'use client';

import { useLocale, useTranslations } from 'next-intl';
import { api } from '../api';
import { currencyOptions } from '../currency-options';
import { decimalOf } from '../ui/amount';
import { dateText } from '../ui/dates';
import { Select } from '../ui/field';
import { Money } from '../ui/money';
import { useCountries } from '../use-countries';
import { chooseCountry, useReaderCountry } from '../use-reader-country';
import styles from './receipt.module.css';

/**
 * The payment's value in the reader's currency, by the rate of its day, and a list of other
 * currencies. Empty if they do not load, because a receipt is complete without them.
 */
export function LocalWorth({ txSignature }: { txSignature: string }) {
  const t = useTranslations('receipt');
  const locale = useLocale();
  const { data: countries, isPending } = useCountries();
  const country = useReaderCountry(countries?.map(({ code }) => code));
  const currency = countries?.find(({ code }) => code === country)?.currency;
  const { data } = api.receipts.calculate.useQuery(
    { tx_signature: txSignature, country: country ?? '' },
    // Every receipt shows its value in dollars anyway.
    { enabled: currency !== undefined && currency !== 'USD', retry: false, staleTime: Infinity },
  );
  const place = `${styles['currency'] ?? ''} screen-only`;
  if (isPending) return <div className={place} />;
  if (!countries || country === null) return null;
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  return (
    <>
      {data && data.local_currency === currency ? (
        <span className="muted small">
          {t.rich(data.rate_provisional ? 'worth.provisional' : 'worth.final', {
            money: () => (
              <Money
                value={decimalOf(data.local_amount_raw, data.local_decimals, data.local_decimals)}
                currency={data.local_currency}
              />
            ),
            day: dateText(data.rate_date, locale, 'day'),
            source: data.rate_source,
          })}
        </span>
      ) : null}
      <div className={place}>
        <Select
          label={t('worth.currency')}
          size="small"
          options={currencyOptions(
            countries,
            country,
            (code) => `${code} – ${names.of(code) ?? code}`,
          )}
          value={country}
          onValue={chooseCountry}
        />
      </div>
    </>
  );
}
