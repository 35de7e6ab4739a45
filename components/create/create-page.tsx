'use client';

import { useEffect, useState } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { shorten } from '../ui/address';
import { decimalOf } from '../ui/amount';
import { useAnnounce } from '../ui/announcer';
import { Banner } from '../ui/banner';
import { Button, ButtonLink } from '../ui/button';
import { Select } from '../ui/field';
import { Skeleton } from '../ui/skeleton';
import { ConnectWallet } from '../wallet/connect-wallet';
import type { Signer } from '../wallet/signer';
import { useSigner } from '../wallet/wallet-host';
import styles from './create.module.css';
import paper from '../ui/paper.module.css';
import { LabelsForm, ProvenPart, type LabelTexts, type Preview } from './draft-receipt';
import { PaymentField, RecentPayments } from './find-payment';
import { HowItWorks, type Price } from './how-it-works';
import { OrderProgress } from './order-progress';
import { requestFor } from './order-store';
import { useOrder } from './use-order';
import { FailureBanner } from './failure-banner';
import { readInput } from './read-input';
import { useChosenPayment } from './use-chosen-payment';

export type CountryOption = { value: string; label: string };

/** Create a receipt: find the payment, check it, say what it was for, sign. */
export function CreatePage(o: {
  countries: readonly CountryOption[];
  prices: readonly Price[];
  /** The payment in the page's address at first, whatever stands there. */
  initialTx: string;
  /** What the payment of `initialTx` was for, as the page that led here knows it. */
  initialFor: string;
}) {
  const { tx, choose } = useChosenPayment();
  // A payment lives in the page's address. This holds everything else that is typed.
  const [input, setInput] = useState(tx === null ? o.initialTx : '');
  const { signer, disconnect } = useSigner();
  const [country, setCountry] = useState('US');
  const { state, start, resume, clear } = useOrder();
  if (state?.phase) return <OrderProgress state={state} onNew={() => startOver()} />;

  const resumed = state?.isResumed && input === '' ? state.order.request.tx_signature : null;
  const txSignature = tx ?? resumed;
  const own = requestFor(state?.order, txSignature);
  const read = readInput(input);
  const wallet =
    read.kind === 'wallet' ? read.value : read.kind === 'empty' ? signer?.address : undefined;
  function startOver() {
    clear();
    setInput('');
    choose(null);
  }
  return (
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
        {signer ? null : <span className="muted">or</span>}
        <ConnectWallet />
        {signer ? null : <span className="muted small">to pick from its recent payments</span>}
      </div>
      {state?.failure ? (
        <FailureBanner failure={state.failure} onResume={resume} onOtherWallet={disconnect} />
      ) : null}
      {txSignature ? (
        <section
          aria-label="The payment"
          className={styles['payment-part']}
          data-focus-home
          tabIndex={-1}
        >
          <Draft
            key={txSignature}
            {...{ txSignature, signer, country, countries: o.countries }}
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
      ) : wallet ? (
        <RecentPayments wallet={wallet} onPick={choose} />
      ) : (
        <HowItWorks prices={o.prices} />
      )}
    </div>
  );
}

function requestOf(txSignature: string, labels: LabelTexts) {
  const [kind, invoice] = [labels.transaction_type.trim(), labels.invoice_id.trim()];
  return {
    tx_signature: txSignature,
    service_type: labels.service_type.trim(),
    ...(kind === '' ? {} : { transaction_type: kind }),
    ...(invoice === '' ? {} : { invoice_id: invoice }),
  };
}

function Draft(o: {
  txSignature: string;
  signer: Signer | null;
  country: string;
  countries: readonly CountryOption[];
  initial: LabelTexts;
  onCountry: (country: string) => void;
  onSubmit: (labels: LabelTexts, shownPriceRaw: string) => void;
}) {
  const { data, error, isPending, refetch } = api.web.preview.useQuery(
    { tx_signature: o.txSignature, country: o.country },
    { placeholderData: (before) => before },
  );
  const announce = useAnnounce();
  useEffect(() => {
    if (!data) return;
    const { amount_raw: raw, decimals, token, receiver } = data.transaction;
    announce(`Payment found: ${decimalOf(raw, decimals)} ${token} to ${shorten(receiver)}`);
    // Once for each payment: the value in another currency is the same payment.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [data?.transaction.tx_signature, announce]);
  if (isPending)
    return (
      <div className={paper['paper']}>
        <Skeleton lines={6} label="Reading the payment from the chain" />
      </div>
    );
  if (error) {
    const failure = failureOf(error);
    return (
      <Banner
        kind="error"
        title={previewTitle(failure.code)}
        actions={
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {failure.code === 'chain_unavailable'
          ? 'Our Solana nodes do not answer at the moment. No money moved. Try again in a few minutes.'
          : failure.code === 'transaction_not_found'
            ? 'It may not be confirmed yet, or it is on another network.'
            : failure.message}
      </Banner>
    );
  }
  return (
    <div className={paper['paper']}>
      <ProvenPart preview={data} />
      <div className={styles['country']}>
        <Select
          label="Value in"
          size="small"
          options={o.countries}
          value={o.country}
          onChange={(event) => o.onCountry(event.target.value)}
        />
      </div>
      <NextStep {...o} preview={data} />
    </div>
  );
}

function NextStep(o: Parameters<typeof Draft>[0] & { preview: Preview }) {
  const { preview, signer } = o;
  const { transaction: t, receipt, price_raw: priceRaw } = preview;
  if (receipt)
    return (
      <Banner
        kind="success"
        quiet
        title="This payment has a receipt"
        actions={
          <ButtonLink href={`/r/${receipt.receipt_id}`} variant="primary">
            Open receipt {receipt.receipt_id}
          </ButtonLink>
        }
      >
        Each payment has one receipt, so there is nothing to pay.
      </Banner>
    );
  if (priceRaw === null)
    return (
      <Banner kind="warning" quiet title="No receipt can be made for this token">
        {t.valuation_error ??
          'Receipts are for USDC, USDT, PYUSD, EURC and SOL, because their value is published.'}
      </Banner>
    );
  if (preview.closed)
    return (
      <Banner kind="warning" quiet title="Fees cannot be paid at the moment">
        This receipt costs a fee, and the service accepts no payments right now: {preview.closed}.
        No money moved. Try again later.
      </Banner>
    );
  const isParty = signer !== null && [t.sender, t.receiver].includes(signer.address);
  return (
    <>
      {signer && !isParty ? (
        <Banner kind="warning" title="This wallet is not part of the payment">
          The connected wallet neither paid nor was paid. No money moved. Disconnect it, and connect
          the payer’s or the seller’s wallet.
        </Banner>
      ) : null}
      <LabelsForm
        preview={preview}
        priceRaw={priceRaw}
        initial={o.initial}
        disabled={!isParty}
        connect={
          signer ? null : (
            <ConnectWallet
              variant="primary"
              label={
                priceRaw === '0'
                  ? 'Connect wallet to create it, free'
                  : 'Connect wallet to create it'
              }
            />
          )
        }
        onSubmit={(labels) => o.onSubmit(labels, priceRaw)}
      />
    </>
  );
}

function previewTitle(code: string): string {
  switch (code) {
    case 'transaction_not_found':
      return 'We couldn’t find this transaction';
    case 'transaction_failed':
      return 'This transaction failed, so nothing was paid';
    case 'chain_unavailable':
      return 'The Solana network cannot be reached';
    case 'unreachable':
      return 'The service does not answer';
    default:
      return 'This payment cannot have a receipt';
  }
}
