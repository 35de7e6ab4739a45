'use client';

import { useSyncExternalStore } from 'react';
import { api } from '../api';
import { decimalOf, groupDigits } from '../ui/amount';
import { countryOf } from './reader-country';

/** What the payment was worth in the currency of the reader's language, by the rate of its day; else nothing. */
export function LocalWorth({ txSignature }: { txSignature: string }) {
  const language = useSyncExternalStore(
    unchanging,
    () => navigator.language,
    () => null,
  );
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
  const amount = groupDigits(decimalOf(data.local_amount_raw, data.local_decimals));
  return (
    <span className="muted small">
      {amount} {data.local_currency} at the rate of {data.rate_date}
      {data.rate_provisional ? ', which may still change' : ''} ({data.rate_source})
    </span>
  );
}

const unchanging = () => () => undefined;
