'use client';

import { useState } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { Banner } from '../ui/banner';
import { Button, ButtonLink } from '../ui/button';
import { Select } from '../ui/field';
import { Skeleton } from '../ui/skeleton';
import { ConnectWallet } from '../wallet/connect-wallet';
import type { Signer } from '../wallet/signer';
import styles from './create.module.css';
import paper from '../ui/paper.module.css';
import { LabelsForm, ProvenPart, type LabelTexts, type Preview } from './draft-receipt';
import { PaymentField, RecentPayments, kindOf } from './find-payment';
import { OrderProgress } from './order-progress';
import { useOrder } from './use-order';
import { FailureBanner } from './failure-banner';

export type CountryOption = { value: string; label: string };

/** Create a receipt: find the payment, look at it, say what it was for, sign. */
export function CreatePage(o: {
  countries: readonly CountryOption[];
  initialTx: string;
  /** What the payment of `initialTx` was for, as the page that led here knows it. */
  initialFor: string;
}) {
  const [input, setInput] = useState(o.initialTx);
  const [signer, setSigner] = useState<Signer | null>(null);
  const [country, setCountry] = useState('US');
  const { state, start, resume, clear } = useOrder();
  if (state?.phase) return <OrderProgress state={state} onNew={() => startOver()} />;

  const kept = state?.order.request;
  const txSignature =
    kindOf(input) === 'signature' ? input : kept && input === '' ? kept.tx_signature : null;
  const wallet = kindOf(input) === 'wallet' ? input : input === '' ? signer?.address : undefined;
  function startOver() {
    clear();
    setInput('');
  }
  return (
    <div className="stack">
      <PaymentField
        value={input === '' && kept ? kept.tx_signature : input}
        onChange={(value) => {
          if (state) clear();
          setInput(value);
        }}
      />
      <div className={styles['or']}>
        {signer ? null : <span className="muted">or</span>}
        <ConnectWallet signer={signer} onSigner={setSigner} />
        {signer ? null : <span className="muted small">to pick from its recent payments</span>}
      </div>
      {state?.failure ? (
        <FailureBanner
          failure={state.failure}
          onResume={resume}
          onOtherWallet={() => {
            signer?.disconnect().catch(() => undefined);
            setSigner(null);
          }}
        />
      ) : null}
      {txSignature ? (
        <Draft
          key={txSignature}
          {...{ txSignature, signer, country, countries: o.countries }}
          initial={{
            service_type: kept?.service_type ?? (txSignature === o.initialTx ? o.initialFor : ''),
            transaction_type: kept?.transaction_type ?? '',
            invoice_id: kept?.invoice_id ?? '',
          }}
          onSigner={setSigner}
          onCountry={setCountry}
          onSubmit={(labels, shownPriceRaw) => {
            if (signer)
              void start({ signer, shownPriceRaw, request: requestOf(txSignature, labels) });
          }}
        />
      ) : wallet ? (
        <RecentPayments wallet={wallet} onPick={setInput} />
      ) : (
        <HowItWorks />
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
  onSigner: (signer: Signer | null) => void;
  onCountry: (country: string) => void;
  onSubmit: (labels: LabelTexts, shownPriceRaw: string) => void;
}) {
  const { data, error, isPending, refetch } = api.web.preview.useQuery(
    { tx_signature: o.txSignature, country: o.country },
    { placeholderData: (before) => before },
  );
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
            Look again
          </Button>
        }
      >
        {failure.code === 'chain_unavailable'
          ? 'The nodes that we ask do not answer at the moment. No money moved; try again in a little while.'
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
        There is one receipt for each payment, so nothing is due.
      </Banner>
    );
  if (priceRaw === null)
    return (
      <Banner kind="warning" quiet title="No receipt can be made for this token">
        {t.valuation_error ??
          'Receipts are for USDC, USDT, PYUSD, EURC and SOL, which have a value that can be looked up.'}
      </Banner>
    );
  if (preview.closed)
    return (
      <Banner kind="warning" quiet title="Fees cannot be paid at the moment">
        This receipt costs a fee, and the service takes no payments right now: {preview.closed}. No
        money moved. Try again later.
      </Banner>
    );
  const isParty = signer !== null && [t.sender, t.receiver].includes(signer.address);
  return (
    <>
      {signer && !isParty ? (
        <Banner kind="warning" title="This wallet is not part of the payment">
          You are connected with another wallet than the two in this payment. No money moved.
          Disconnect, and connect the one that paid or the one that was paid.
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
              signer={null}
              onSigner={o.onSigner}
              variant="primary"
              label={
                priceRaw === '0'
                  ? 'Connect wallet to create it, free'
                  : `Connect wallet to create it`
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
      return 'No transaction has this signature';
    case 'transaction_failed':
      return 'This transaction failed, so nothing was paid';
    case 'chain_unavailable':
      return 'The Solana network cannot be reached';
    case 'unreachable':
      return 'The service does not answer';
    default:
      return 'This is not a payment that a receipt can be made for';
  }
}

function HowItWorks() {
  return (
    <ol className={styles['how']} aria-label="How it works">
      <li>
        <h2>Find the payment</h2>
        <p className="muted small">
          Who paid whom, how much and when is read from the chain. Nobody types it in.
        </p>
      </li>
      <li>
        <h2>Say what it was for</h2>
        <p className="muted small">
          Free below 1 USD. From there on 0.1 % of the value, at least 0.10 and at most 5 USDC.
        </p>
      </li>
      <li>
        <h2>Anyone can check it</h2>
        <p className="muted small">
          The receipt is stored for good and proven on chain, in the payer’s wallet.
        </p>
      </li>
    </ol>
  );
}
