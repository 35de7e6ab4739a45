'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useMemo, useState, type ReactNode } from 'react';
import type { RegistrationBody } from '@/server/use-cases/registrations/schemas';
import { api } from '../api';
import { failureOf } from '../api-client';
import { refusedFields } from '../refused-fields';
import { English, useErrorWords } from '../use-error-words';
import { useSite } from '../site-context';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { Field, Select } from '../ui/field';
import { FocusedBanner } from '../ui/focused-banner';
import { Skeleton } from '../ui/skeleton';
import { Time } from '../ui/time';
import { useToast } from '../ui/toast';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useFailureWords } from '../wallet/use-failure-words';
import { useSigner } from '../wallet/wallet-host';
import { countryOptions } from './country-options';
import { sendRegistration, type RegistrationTexts } from './send-registration';

type RegistrationProps = { wallet: string };

/** Registers the wallet for automatic receipts, changes what they say, or ends them. */
export function Registration(props: RegistrationProps) {
  const t = useTranslations('dashboard');
  const words = useErrorWords();
  const known = api.dashboard.registration.useQuery();
  if (known.error)
    return (
      <Banner kind="error" title={t('registration.error')}>
        {words(failureOf(known.error))}
      </Banner>
    );
  if (known.data === undefined) return <Skeleton lines={5} label={t('registration.loading')} />;
  return <Form {...props} known={known.data} key={known.data?.registered_at ?? 'new'} />;
}

function Form(o: RegistrationProps & { known: RegistrationBody | null }) {
  const t = useTranslations('dashboard');
  const locale = useLocale();
  const countries = useMemo(() => countryOptions(locale), [locale]);
  const { wallet, known } = o;
  const { signer } = useSigner();
  const words = useFailureWords();
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
      const sent = await sendRegistration({
        serviceName,
        signer,
        texts: what === 'register' ? texts : null,
      });
      if (!sent) {
        setFailure({ text: t('registration.cannotSign', { name: signer.name }), fields: {} });
        return;
      }
      toast(t(what === 'register' ? 'registration.isOn' : 'registration.isOff'));
      await utils.dashboard.registration.invalidate();
    } catch (error) {
      setFailure(fieldFailure(error) ?? { text: words(error, signer.name), fields: {} });
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
      <h2>{t('registration.title')}</h2>
      {known ? (
        <Banner kind="success" quiet>
          {t.rich('registration.since', { time: () => <Time value={known.registered_at} /> })}
        </Banner>
      ) : (
        <p>{t('registration.intro')}</p>
      )}
      <Field
        {...field('business_name')}
        label={t('registration.name')}
        help={t('registration.nameHelp')}
        maxLength={80}
        required
      />
      <Select {...field('country')} label={t('registration.country')} options={countries} />
      <Field
        {...field('service_type')}
        label={t('registration.for')}
        help={t('registration.forHelp')}
        maxLength={64}
        required
      />
      {failure?.text ? (
        <FocusedBanner about={failure} kind="error" title={t('registration.failed')}>
          {failure.text}
        </FocusedBanner>
      ) : null}
      {canSign ? (
        <div className="row">
          <Button variant="primary" type="submit" busy={busy === 'register'}>
            {t(known ? 'registration.save' : 'registration.turnOn')}
          </Button>
          {known ? (
            <Button variant="danger" busy={busy === 'end'} onClick={() => void send('end')}>
              {t('registration.turnOff')}
            </Button>
          ) : null}
        </div>
      ) : (
        <div className="stack">
          <p className="muted">
            {t(signer ? 'registration.otherWallet' : 'registration.reconnect')}
          </p>
          <ConnectWallet />
        </div>
      )}
    </form>
  );
}

type Failure = { text: ReactNode; fields: Readonly<Record<string, ReactNode>> };

/** An entry that the service refuses, beside its field; null for every other error. */
function fieldFailure(error: unknown): Failure | null {
  const fields = Object.entries(refusedFields(failureOf(error))).map(
    ([name, why]) => [name, <English key={name}>{why}</English>] as const,
  );
  return fields.length === 0 ? null : { text: null, fields: Object.fromEntries(fields) };
}
