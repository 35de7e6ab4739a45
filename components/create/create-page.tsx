'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { failureOf } from '../api-client';
import { type RefusedFields, refusedFields } from '../refused-fields';
import { useSite } from '../site-context';
import { useErrorWords } from '../use-error-words';
import { LoadFailed } from '../ui/load-failed';
import { Skeleton } from '../ui/skeleton';
import { useBrowserValue } from '../ui/use-browser-value';
import { useCode } from '../ui/use-code';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useSigner } from '../wallet/wallet-host';
import styles from './create.module.css';
import { Draft } from './draft';
import type { CountryOption } from './draft-paper';
import { PaymentField } from './payment-field';
import type { Named } from './pick-payment';
import { requestFor } from './order-store';
import { OrderView } from './order-view';
import { useOrder } from './use-order';
import { FailureBanner } from './failure-banner';
import type { Failure } from './order-failed';
import { readInput } from './read-input';
import { NO_LABELS, useChosenPayment } from './use-chosen-payment';

/** The payments of a wallet. The code loads with the first wallet. */
const loadPick = () => import('./pick-payment');

/** Create a receipt: find the payment, check it, say what it was for, sign. */
export function CreatePage(o: {
  countries: readonly CountryOption[];
  /** The heading of the page. */
  heading: ReactNode;
  /** The parts below the field, and after it, before a payment is chosen. */
  steps: ReactNode;
  offer: ReactNode;
}) {
  const chosen = useChosenPayment();
  const { tx, choose, typed } = chosen;
  const { signer, disconnect } = useSigner();
  const t = useTranslations('create');
  const ownHosts = useOwnHosts();
  const { state, start, resume, clear } = useOrder(tx);
  const orderTx = state?.order.request.tx_signature ?? null;
  const failure = state?.failure ?? null;
  const refused = refusedLabels(failure);
  const isRefusedHere = tx === orderTx && Object.keys(refused).length > 0;
  const showResumed = useEffectEvent(() => {
    if (tx === null && typed === '') choose(orderTx);
  });
  useEffect(() => {
    if (state?.isResumed === true) showResumed();
  }, [state?.isResumed]);
  const order = state?.phase ? (
    <OrderView
      state={state}
      isAside={tx !== orderTx}
      onShow={() => choose(orderTx)}
      onNew={() => {
        clear();
        choose(null, '');
      }}
    />
  ) : null;
  if (order && tx === orderTx)
    return (
      <div className={styles['start']}>
        {o.heading}
        {order}
      </div>
    );

  const own = requestFor(state?.order, tx);
  const entry = tx ?? typed;
  const read = readInput(entry, ownHosts);
  const wallet =
    read.kind === 'wallet' ? read.value : read.kind === 'empty' ? signer?.address : undefined;
  const named = wallet ? { wallet } : read.kind === 'name' ? { name: read.value } : null;
  return (
    <div className={styles['start']}>
      <div className="stack-wide">
        {o.heading}
        {order}
        <div className="stack">
          <PaymentField
            value={entry}
            read={read}
            onChange={(text) => {
              // A running order continues. A failed one ends with the choice of its payment.
              if (failure) clear();
              chosen.type(text);
            }}
          />
          <div className={styles['or']}>
            {signer ? null : <span className="muted">{t('or')}</span>}
            <ConnectWallet />
            {signer ? null : <span className="muted small">{t('orWallet')}</span>}
          </div>
          {failure && !isRefusedHere ? (
            <FailureBanner failure={failure} onResume={resume} onOtherWallet={disconnect} />
          ) : null}
        </div>
        {tx === null && !named ? o.steps : null}
      </div>
      {tx !== null ? (
        <section
          aria-label={t('payment')}
          className={styles['payment-part']}
          data-focus-home
          tabIndex={-1}
        >
          <Draft
            key={tx}
            {...{ signer, countries: o.countries }}
            txSignature={tx}
            refused={isRefusedHere ? refused : {}}
            // Two orders would ask the wallet at the same time.
            isBusy={order !== null && state?.phase !== 'minting'}
            initial={{
              service_type: own?.service_type ?? chosen.labels.service_type,
              transaction_type: own?.transaction_type ?? chosen.labels.transaction_type,
              invoice_id: own?.invoice_id ?? chosen.labels.invoice_id,
            }}
            onLabels={chosen.keepLabels}
            onSubmit={(labels, shownPriceRaw) => {
              if (!signer) return;
              chosen.putChoiceBehind();
              void start({ signer, shownPriceRaw, request: { tx_signature: tx, ...labels } });
            }}
          />
        </section>
      ) : named ? (
        <Pick of={named} onPick={(picked) => choose(picked)} />
      ) : (
        o.offer
      )}
    </div>
  );
}

/** The hosts of this service: that of the settings, and that of the browser's address. */
function useOwnHosts(): readonly string[] {
  const { publicUrl } = useSite();
  const here = useBrowserValue(() => location.host, '');
  return [new URL(publicUrl).host, here];
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

/** Labels that the service refused. Empty for every other failure, which a banner shows. */
function refusedLabels(failure: Failure | null): RefusedFields {
  const { said } = failure ?? {};
  const refused = said === undefined || typeof said === 'string' ? {} : refusedFields(said);
  return Object.keys(refused).every((name) => Object.hasOwn(NO_LABELS, name)) ? refused : {};
}
