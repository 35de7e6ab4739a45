'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { api } from '../api';
import { failureOf, type ApiFailure } from '../api-client';
import { refusedFields } from '../refused-fields';
import { useErrorWords } from '../use-error-words';
import { shorten } from '../ui/address';
import { amountOf } from '../ui/amount';
import { useAnnounce } from '../ui/announcer';
import { LoadFailed } from '../ui/load-failed';
import { Skeleton } from '../ui/skeleton';
import { useCode } from '../ui/use-code';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useSigner } from '../wallet/wallet-host';
import styles from './create.module.css';
import paper from '../ui/paper.module.css';
import type { CountryOption, DraftProps } from './draft-paper';
import type { LabelTexts } from './draft-receipt';
import { PaymentField } from './payment-field';
import type { Named } from './pick-payment';
import { OrderProgress } from './order-progress';
import { requestFor } from './order-store';
import { loadSteps, useOrder } from './use-order';
import { FailureBanner } from './failure-banner';
import type { Failure } from './failures';
import { readInput } from './read-input';
import { useChosenPayment } from './use-chosen-payment';

/** The draft of a receipt. No first view needs its code, which comes with the payment that is chosen. */
const loadPaper = () => import('./draft-paper');
/** The payments of a wallet, whose code comes with the first wallet. */
const loadPick = () => import('./pick-payment');

/** Create a receipt: find the payment, check it, say what it was for, sign. */
export function CreatePage(o: {
  countries: readonly CountryOption[];
  /** The payment in the page's address at first, whatever stands there. */
  initialTx: string;
  /** What the payment of `initialTx` was for, as the page that led here knows it. */
  initialFor: string;
  /** The heading of the page. */
  heading: ReactNode;
  /** What stands below the field, and after it, before a payment is chosen. */
  steps: ReactNode;
  offer: ReactNode;
}) {
  const { tx, choose } = useChosenPayment();
  // A payment lives in the page's address. This holds everything else that is typed.
  const [input, setInput] = useState(tx === null ? o.initialTx : '');
  const { signer, disconnect } = useSigner();
  const t = useTranslations('create');
  const [country, setCountry] = useState('US');
  const { state, start, resume, clear } = useOrder();
  const failure = state?.failure ?? null;
  const refused = useMemo(() => refusedLabels(failure), [failure]);
  if (state?.phase)
    return (
      <div className={styles['start']}>
        {o.heading}
        <OrderProgress state={state} onNew={() => startOver()} />
      </div>
    );

  const resumed = state?.isResumed && input === '' ? state.order.request.tx_signature : null;
  const txSignature = tx ?? resumed;
  const own = requestFor(state?.order, txSignature);
  const read = readInput(input);
  const wallet =
    read.kind === 'wallet' ? read.value : read.kind === 'empty' ? signer?.address : undefined;
  const named = wallet ? { wallet } : read.kind === 'name' ? { name: read.value } : null;
  function startOver() {
    clear();
    setInput('');
    choose(null);
  }
  const isEmpty = !txSignature && !named;
  return (
    <div className={styles['start']}>
      <div className="stack-wide">
        {o.heading}
        <div className="stack">
          <PaymentField
            value={txSignature ?? input}
            onChange={(text) => {
              if (state) clear();
              const typed = readInput(text);
              if (typed.kind !== 'signature') setInput(text);
              choose(typed.kind === 'signature' ? typed.value : null);
            }}
          />
          <div className={styles['or']}>
            {signer ? null : <span className="muted">{t('or')}</span>}
            <ConnectWallet />
            {signer ? null : <span className="muted small">{t('orWallet')}</span>}
          </div>
          {failure && Object.keys(refused).length === 0 ? (
            <FailureBanner failure={failure} onResume={resume} onOtherWallet={disconnect} />
          ) : null}
        </div>
        {isEmpty ? o.steps : null}
      </div>
      {txSignature ? (
        <section
          aria-label={t('payment')}
          className={styles['payment-part']}
          data-focus-home
          tabIndex={-1}
        >
          <Draft
            key={txSignature}
            {...{ txSignature, signer, country, refused, countries: o.countries }}
            initial={{
              service_type: own?.service_type ?? (txSignature === o.initialTx ? o.initialFor : ''),
              transaction_type: own?.transaction_type ?? '',
              invoice_id: own?.invoice_id ?? '',
            }}
            onCountry={setCountry}
            onSubmit={(labels, shownPriceRaw) => {
              if (!signer) return;
              choose(txSignature);
              void start({ signer, shownPriceRaw, request: requestOf(txSignature, labels) });
            }}
          />
        </section>
      ) : named ? (
        <Pick of={named} onPick={choose} />
      ) : (
        o.offer
      )}
    </div>
  );
}

function Pick(o: { of: Named; onPick: (txSignature: string) => void }) {
  const { code, failure, load } = useCode(loadPick);
  useEffect(load, [load]);
  const t = useTranslations('create');
  const errorWords = useErrorWords();
  if (failure)
    return (
      <LoadFailed title={t('recent.failed')} onAgain={load}>
        {errorWords(failureOf(failure))}
      </LoadFailed>
    );
  if (!code)
    return (
      <div className="card">
        <Skeleton lines={4} label={t('recent.reading')} />
      </div>
    );
  return <code.PickPayment {...o} />;
}

/** Labels that the service refused; empty for every other failure, which a banner tells. */
function refusedLabels(failure: Failure | null): Readonly<Record<string, string>> {
  const { said } = failure ?? {};
  const refused = said === undefined || typeof said === 'string' ? {} : refusedFields(said);
  return Object.keys(refused).every((name) => LABELS.has(name)) ? refused : {};
}

const LABELS: ReadonlySet<string> = new Set<keyof LabelTexts>([
  'service_type',
  'transaction_type',
  'invoice_id',
]);

function requestOf(txSignature: string, labels: LabelTexts) {
  const [kind, invoice] = [labels.transaction_type.trim(), labels.invoice_id.trim()];
  return {
    tx_signature: txSignature,
    service_type: labels.service_type.trim(),
    ...(kind === '' ? {} : { transaction_type: kind }),
    ...(invoice === '' ? {} : { invoice_id: invoice }),
  };
}

function Draft(o: DraftProps) {
  const { data, error, isPending, refetch } = api.web.preview.useQuery(
    { tx_signature: o.txSignature, country: o.country },
    { placeholderData: (before) => before },
  );
  const paperCode = useCode(loadPaper);
  const { load } = paperCode;
  useEffect(() => {
    load();
    void loadSteps().catch(() => undefined);
  }, [load]);
  const announce = useAnnounce();
  const t = useTranslations('create');
  const locale = useLocale();
  useEffect(() => {
    if (!data) return;
    const { amount_raw: raw, decimals, token, receiver } = data.transaction;
    const amount = amountOf(raw, decimals, locale);
    announce(t('found', { amount, token, receiver: shorten(receiver) }));
    // Once for each payment: the value in another currency is the same payment.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [data?.transaction.tx_signature, announce]);
  if (error) return <NoPreview failure={failureOf(error)} onAgain={() => void refetch()} />;
  if (paperCode.failure)
    return <NoPreview failure={failureOf(paperCode.failure)} onAgain={paperCode.load} />;
  if (isPending || !paperCode.code)
    return (
      <div className={paper['paper']}>
        <Skeleton lines={6} label={t('reading')} />
      </div>
    );
  return <paperCode.code.DraftPaper {...o} preview={data} />;
}

/** Texts of `create.preview` for a payment that cannot be shown, by the code of the error. */
const NO_PREVIEW: Readonly<Record<string, 'notFound' | 'failed' | 'chain' | 'unreachable'>> = {
  transaction_not_found: 'notFound',
  transaction_failed: 'failed',
  chain_unavailable: 'chain',
  unreachable: 'unreachable',
};

function NoPreview({ failure, onAgain }: { failure: ApiFailure; onAgain: () => void }) {
  const t = useTranslations('create');
  const errorWords = useErrorWords();
  const known = NO_PREVIEW[failure.code];
  return (
    <LoadFailed title={t(`preview.${known ?? 'other'}`)} onAgain={onAgain}>
      {known === 'chain' || known === 'notFound' ? t(`preview.${known}Text`) : errorWords(failure)}
    </LoadFailed>
  );
}
