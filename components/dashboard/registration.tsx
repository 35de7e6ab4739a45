'use client';

import { useState } from 'react';
import type { RegistrationBody } from '@/server/use-cases/registrations/schemas';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useSite } from '../site-context';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { Field, Select } from '../ui/field';
import { FocusedBanner } from '../ui/focused-banner';
import { Skeleton } from '../ui/skeleton';
import { Time } from '../ui/time';
import { useToast } from '../ui/toast';
import { ConnectWallet } from '../wallet/connect-wallet';
import { failureWords } from '../wallet/refusal-words';
import { useSigner } from '../wallet/wallet-host';
import { countryOptions } from './country-options';
import { sendRegistration, type RegistrationTexts } from './send-registration';

type RegistrationProps = { wallet: string };

/** Registers the wallet for automatic receipts, changes what they say, or ends them. */
export function Registration(props: RegistrationProps) {
  const known = api.dashboard.registration.useQuery();
  if (known.error)
    return (
      <Banner kind="error" title="The registration could not be loaded.">
        {failureOf(known.error).message}
      </Banner>
    );
  if (known.data === undefined) return <Skeleton lines={5} label="Loading the registration" />;
  return <Form {...props} known={known.data} key={known.data?.registered_at ?? 'new'} />;
}

function Form(o: RegistrationProps & { known: RegistrationBody | null }) {
  const { wallet, known } = o;
  const { signer } = useSigner();
  const { serviceName } = useSite();
  const toast = useToast();
  const utils = api.useUtils();
  const [busy, setBusy] = useState<'register' | 'end' | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [texts, setTexts] = useState<RegistrationTexts>({
    business_name: known?.business_name ?? '',
    country: known?.country ?? 'US',
    service_type: known?.service_type ?? '',
  });
  const canSign = signer?.address === wallet;
  const send = async (what: 'register' | 'end') => {
    if (!canSign) return;
    setBusy(what);
    setFailure(null);
    try {
      await sendRegistration({ serviceName, signer, texts: what === 'register' ? texts : null });
      toast(what === 'register' ? 'Automatic receipts are on' : 'Automatic receipts are off');
      await utils.dashboard.registration.invalidate();
    } catch (error) {
      setFailure(failureFor(error, signer.name));
    } finally {
      setBusy(null);
    }
  };
  const field = (name: keyof RegistrationTexts) => ({
    value: texts[name],
    error: failure?.fields[name] ?? null,
    onChange: ({ target }: { target: { value: string } }) =>
      setTexts({ ...texts, [name]: target.value }),
  });
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send('register');
      }}
    >
      <h2>Automatic receipts</h2>
      {known ? (
        <Banner kind="success" quiet>
          On since <Time value={known.registered_at} />. Payments from 0.01 to 1 USD get a receipt
          automatically. Larger ones are listed above as “Fee due”.
        </Banner>
      ) : (
        <p>
          New payments to this wallet get a receipt automatically. From 0.01 to 1 USD it is free.
          Payments from 1 USD are listed here with their fee. The receipt goes to the payer.
        </p>
      )}
      <Field
        {...field('business_name')}
        label="Business name"
        help="Shown beside your wallet as “name given by the seller”. It does not appear on receipts on Solana."
        maxLength={80}
        required
      />
      <Select {...field('country')} label="Country" options={countryOptions()} />
      <Field
        {...field('service_type')}
        label="What payments are for"
        help="Appears publicly and permanently on every automatic receipt."
        maxLength={64}
        required
      />
      {failure?.text ? (
        <FocusedBanner about={failure} kind="error" title="Nothing was changed">
          {failure.text}
        </FocusedBanner>
      ) : null}
      {canSign ? (
        <div className="row">
          <Button variant="primary" type="submit" busy={busy === 'register'}>
            {known ? 'Sign and save' : 'Sign and turn on'}
          </Button>
          {known ? (
            <Button variant="danger" busy={busy === 'end'} onClick={() => void send('end')}>
              Turn off
            </Button>
          ) : null}
        </div>
      ) : (
        <div className="stack">
          <p className="muted">
            {signer
              ? 'The connected wallet is not the one that you signed in with. Connect that wallet to sign.'
              : 'Connect the wallet again. It signs your entries here, and no money moves.'}
          </p>
          <ConnectWallet />
        </div>
      )}
    </form>
  );
}

type Failure = { text: string | null; fields: Readonly<Record<string, string>> };

function failureFor(error: unknown, wallet: string): Failure {
  const { code, message, details } = failureOf(error);
  if (code !== 'invalid_request') return { text: failureWords(error, wallet), fields: {} };
  const fields = Object.entries(details).flatMap(([name, why]) =>
    typeof why === 'string' ? [[name, why] as const] : [],
  );
  return { text: fields.length === 0 ? message : null, fields: Object.fromEntries(fields) };
}
