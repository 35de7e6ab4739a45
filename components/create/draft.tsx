'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api';
import { failureOf, mayPass, type ApiFailure } from '../api-client';
import { shorten } from '../ui/address';
import { amountOf } from '../ui/amount';
import { useAnnounce } from '../ui/announcer';
import { LoadFailed } from '../ui/load-failed';
import paper from '../ui/paper.module.css';
import { Skeleton } from '../ui/skeleton';
import { useCode } from '../ui/use-code';
import { useErrorWords } from '../use-error-words';
import type { DraftProps } from './draft-paper';
import type { Preview } from './draft-receipt';
import { loadProgress } from './order-view';
import { loadSteps } from './use-order';

/** The draft of a receipt. The first view does not need its code, which loads with the chosen payment. */
const loadPaper = () => import('./draft-paper');

/** The time between two polls of a payment that is not final yet, in ms. Solana takes about 13 s to finalize it. */
const LOOK_EVERY_MS = 2_500;

/**
 * The draft of the receipt for a payment, or why there can be none. Polls the payment until it is final.
 */
export function Draft(o: Omit<DraftProps, 'country' | 'onCountry'>) {
  const [chosen, setChosen] = useState<string | null>(null);
  const locale = useLocale();
  const paperCode = useCode(loadPaper);
  const codes = o.countries.map(({ value }) => value);
  // The code of the paper knows which one the reader expects.
  const country = chosen ?? paperCode.code?.readerCountry(codes, locale) ?? null;
  const { data, error, refetch } = api.web.preview.useQuery(
    { tx_signature: o.txSignature, country: country ?? '' },
    {
      enabled: country !== null,
      placeholderData: (before) => before,
      refetchInterval: ({ state }) =>
        state.data && state.data.transaction.status !== 'settled' ? LOOK_EVERY_MS : false,
    },
  );
  const { load } = paperCode;
  useEffect(() => {
    load();
    void loadSteps().catch(() => undefined);
    void loadProgress().catch(() => undefined);
  }, [load]);
  useSayPayment(data?.transaction);
  const t = useTranslations('create');
  const failure = error ? failureOf(error) : null;
  // A poll without an answer changes nothing on the page, because another one follows.
  if (failure && !(data && mayPass(failure)))
    return <NoPreview failure={failure} onAgain={refetch} />;
  if (paperCode.failure)
    return <NoPreview failure={failureOf(paperCode.failure)} onAgain={paperCode.load} />;
  if (country === null || !data || !paperCode.code)
    return (
      <div className={paper['paper']}>
        <Skeleton lines={6} label={t('reading')} />
      </div>
    );
  return (
    <paperCode.code.DraftPaper {...o} country={country} onCountry={setChosen} preview={data} />
  );
}

/** Says which payment was found, once for each, and later that it is final. */
function useSayPayment(found: Preview['transaction'] | undefined): void {
  const announce = useAnnounce();
  const t = useTranslations('create');
  const locale = useLocale();
  const last = useRef<Preview['transaction']>(undefined);
  useEffect(() => {
    if (!found) return;
    const before = last.current;
    last.current = found;
    if (before?.tx_signature !== found.tx_signature) {
      const { amount_raw: raw, decimals, token, receiver } = found;
      const amount = amountOf(raw, decimals, locale);
      announce(t('found', { amount, token, receiver: shorten(receiver) }));
    } else if (before.status !== 'settled' && found.status === 'settled') announce(t('final'));
  }, [found, announce, t, locale]);
}

/** Texts of `create.preview` for a payment that cannot be shown, by the code of the error. */
const NO_PREVIEW: Readonly<Record<string, 'notFound' | 'failed' | 'chain' | 'unreachable'>> = {
  transaction_not_found: 'notFound',
  transaction_failed: 'failed',
  chain_unavailable: 'chain',
  unreachable: 'unreachable',
};

function NoPreview({ failure, onAgain }: { failure: ApiFailure; onAgain: () => unknown }) {
  const t = useTranslations('create');
  const errorWords = useErrorWords();
  const known = NO_PREVIEW[failure.code];
  // A transaction that no node knows may still be confirmed. Other refusals stay the same.
  const canChange = mayPass(failure) || known === 'notFound';
  return (
    <LoadFailed title={t(`preview.${known ?? 'other'}`)} onAgain={canChange ? onAgain : undefined}>
      {errorWords(
        failure,
        known === 'chain' || known === 'notFound' ? t(`preview.${known}Text`) : undefined,
      )}
    </LoadFailed>
  );
}
