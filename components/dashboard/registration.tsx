'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useMemo, useState, type ReactNode } from 'react';
import type { RegistrationBody } from '@/server/use-cases/registrations/schemas';
import { api } from '../api';
import { failureOf } from '../api-client';
import { MOST_TYPED, refusedEntries } from '../check-entries';
import { type RefusedFields, refusedFields } from '../refused-fields';
import { useErrorWords } from '../use-error-words';
import { useLabelWords } from '../use-label-words';
import { useWritten } from '../use-written';
import { useSite } from '../site-context';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { Field, Select } from '../ui/field';
import { FocusedBanner } from '../ui/focused-banner';
import { LoadFailed } from '../ui/load-failed';
import { Skeleton } from '../ui/skeleton';
import { Time } from '../ui/time';
import { useToast } from '../ui/toast';
import { useFocusRefused } from '../ui/use-focus-refused';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useFailureWords } from '../wallet/use-failure-words';
import { useSigner } from '../wallet/wallet-host';
import { countryOptions } from './country-options';
import { sendRegistration, type RegistrationTexts } from './send-registration';
import type { ChangeView, View } from './view';

type RegistrationProps = { wallet: string; view: View; change: ChangeView };

/** Registers the wallet for automatic receipts, changes their texts, or ends them. */
export function Registration(props: RegistrationProps) {
  const t = useTranslations('dashboard');
  const words = useErrorWords();
  const known = api.dashboard.registration.useQuery({ wallet: props.wallet });
  if (known.error)
    return (
      <LoadFailed title={t('registration.error')} onAgain={known.refetch}>
        {words(failureOf(known.error))}
      </LoadFailed>
    );
  if (known.data === undefined) return <Skeleton lines={5} label={t('registration.loading')} />;
  return <Form {...props} known={known.data} key={known.data?.registered_at ?? 'new'} />;
}

function Form(o: RegistrationProps & { known: RegistrationBody | null }) {
  const t = useTranslations('dashboard');
  const locale = useLocale();
  const countries = useMemo(() => countryOptions(locale), [locale]);
  const { wallet, view, change, known } = o;
  const { signer } = useSigner();
  const words = useFailureWords();
  const { serviceName } = useSite();
  const toast = useToast();
  const utils = api.useUtils();
  const [busy, setBusy] = useState<'register' | 'end' | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const texts = view.draft ?? {
    business_name: known?.business_name ?? '',
    country: known?.country ?? 'US',
    service_type: known?.service_type ?? '',
  };
  const form = useFocusRefused<HTMLFormElement>(failure);
  const labelWords = useLabelWords();
  const { business_name, service_type } = texts;
  const entries = useMemo(() => ({ business_name, service_type }), [business_name, service_type]);
  const written = useWritten(entries);
  const canSign = signer?.address === wallet;
  const send = async (what: 'register' | 'end') => {
    if (!canSign) return;
    setBusy(what);
    setFailure(null);
    try {
      const refused = what === 'register' ? await refusedEntries(entries) : {};
      if (Object.keys(refused).length > 0) {
        setFailure({ text: null, fields: refused });
        return;
      }
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
      change(() => ({ draft: null }));
    } catch (error) {
      setFailure(fieldFailure(error) ?? { text: words(error, signer.name), fields: {} });
    } finally {
      setBusy(null);
    }
  };
  const field = (name: keyof RegistrationTexts) => ({
    value: texts[name],
    error: labelWords.refused(failure?.fields[name]),
    onValue: (text: string) => change(() => ({ draft: { ...texts, [name]: text } })),
  });
  return (
    <form
      ref={form}
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
        help={labelWords.written(written('business_name')) ?? t('registration.nameHelp')}
        maxLength={MOST_TYPED}
        required
      />
      <Select {...field('country')} label={t('registration.country')} options={countries} />
      <Field
        {...field('service_type')}
        label={t('registration.for')}
        help={labelWords.written(written('service_type')) ?? t('registration.forHelp')}
        maxLength={MOST_TYPED}
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

/** `text` is null if the reasons are next to the fields. */
type Failure = { text: ReactNode; fields: RefusedFields };

/** The refusal of an entry, for the text beside its field. Null for every other error. */
function fieldFailure(error: unknown): Failure | null {
  const fields = refusedFields(failureOf(error));
  return Object.keys(fields).length === 0 ? null : { text: null, fields };
}
