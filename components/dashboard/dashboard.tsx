'use client';

import { useTranslations } from 'next-intl';
import { api } from '../api';
import { failureOf } from '../api-client';
import { Address, shorten } from '../ui/address';
import { useCountries } from '../use-countries';
import { useErrorWords } from '../use-error-words';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { LoadFailed } from '../ui/load-failed';
import { Skeleton } from '../ui/skeleton';
import { Tabs } from '../ui/tabs';
import { FocusedBanner } from '../ui/focused-banner';
import { useSigner } from '../wallet/wallet-host';
import { Attention } from './attention';
import { Registration } from './registration';
import { Side } from './side';
import { SignIn } from './sign-in';
import { useSession } from './use-session';
import { useView } from './view';

/** The receipts of the signed-in wallet, or the sign-in. */
export function Dashboard() {
  const t = useTranslations('dashboard');
  const words = useErrorWords();
  const { session, hasEnded, readAgain, close } = useSession();
  const { view, change } = useView(session.data?.wallet);
  const countries = useCountries();
  const { signer, disconnect } = useSigner();
  const end = api.session.end.useMutation({
    onSuccess: () => {
      // A wallet that switched to another account stays connected, to sign in with that account.
      if (signer?.address === session.data?.wallet) disconnect();
      close();
    },
  });
  // The dashboard that is shown stays, and each of its parts names its own failure.
  if (session.error && !session.data)
    return (
      <LoadFailed title={t('error')} onAgain={session.refetch}>
        {words(failureOf(session.error))}
      </LoadFailed>
    );
  if (session.data === null) return <SignIn hasEnded={hasEnded} onSignedIn={readAgain} />;
  // The totals and rows need the reader's currency. A list that fails to load does not hold them up.
  if (session.data === undefined || (countries.isPending && countries.failureCount === 0))
    return (
      <div className="card">
        <Skeleton lines={4} label={t('checking')} />
      </div>
    );
  const { wallet } = session.data;
  return (
    <div className="stack-wide" key={wallet}>
      <div className="row">
        <span className="row">
          {t.rich('signedIn', { wallet: () => <Address value={wallet} label={t('wallet')} /> })}
        </span>
        <Button size="small" variant="quiet" busy={end.isPending} onClick={() => end.mutate()}>
          {t('signOut')}
        </Button>
      </div>
      {end.error ? (
        <FocusedBanner about={end.error} kind="error" title={t('stillSignedIn')}>
          {words(failureOf(end.error))}
        </FocusedBanner>
      ) : null}
      {signer && signer.address !== wallet ? (
        <Banner
          kind="warning"
          title={t('switched.title', { name: signer.name, account: shorten(signer.address) })}
          actions={
            <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
              {t('switched.signIn', { account: shorten(signer.address) })}
            </Button>
          }
        >
          {t('switched.text', { account: shorten(wallet) })}
        </Banner>
      ) : null}
      <Attention wallet={wallet} />
      <Tabs
        label={t('tabs.label')}
        selected={view.tab}
        onSelect={(tab) => change(() => ({ tab }))}
        tabs={[
          {
            id: 'seller',
            label: t('tabs.seller'),
            content: <Side role="seller" {...{ wallet, view, change }} />,
          },
          {
            id: 'payer',
            label: t('tabs.payer'),
            content: <Side role="payer" {...{ wallet, view, change }} />,
          },
          {
            id: 'automatic',
            label: t('tabs.automatic'),
            content: <Registration {...{ wallet, view, change }} />,
          },
        ]}
      />
    </div>
  );
}
