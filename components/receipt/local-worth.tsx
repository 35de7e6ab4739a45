'use client';

import { useLocale, useTranslations } from 'next-intl';
import { api } from '../api';
import { amountOf } from '../ui/amount';
import { useBrowserValue } from '../ui/use-browser-value';
import { countryOf } from './reader-country';

/** What the payment was worth in the currency of the reader's language, by the rate of its day; else nothing. */
export function LocalWorth({ txSignature }: { txSignature: string }) {
  const t = useTranslations('receipt');
  const locale = useLocale();
  const language = useBrowserValue<string | null>(() => navigator.language, null);
  const countries = api.web.countries.useQuery(undefined, {
    enabled: language !== null,
    staleTime: Infinity,
  });
  const country = language === null ? null : countryOf(language, countries.data ?? []);
  const { data } = api.receipts.calculate.useQuery(
    { tx_signature: txSignature, country: country ?? '' },
    // It stands beside the dollars, and a receipt is whole without it.
    { enabled: country !== null, retry: false, staleTime: Infinity },
  );
  if (!data) return null;
  const amount = amountOf(data.local_amount_raw, data.local_decimals, locale);
  return (
    <span className="muted small">
      {t(data.rate_provisional ? 'worth.provisional' : 'worth.final', {
        amount,
        currency: data.local_currency,
        day: data.rate_date,
        source: data.rate_source,
      })}
    </span>
  );
}
