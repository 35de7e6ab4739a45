'use client';

import { useTranslations } from 'next-intl';
import { api } from '../api';
import { failureOf } from '../api-client';
import { Address, shorten } from '../ui/address';
import { useErrorWords } from '../use-error-words';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { LoadFailed } from '../ui/load-failed';
import { Skeleton } from '../ui/skeleton';
import { Tabs } from '../ui/tabs';
import { useSigner } from '../wallet/wallet-host';
import { Attention } from './attention';
import { Registration } from './registration';
import { Side } from './side';
import { SignIn } from './sign-in';

/** What the wallet that is signed in sees of its receipts, or the way to sign in. */
export function Dashboard() {
  const t = useTranslations('dashboard');
  const words = useErrorWords();
  const session = api.session.read.useQuery();
  const { signer, disconnect } = useSigner();
  const utils = api.useUtils();
  const end = api.session.end.useMutation({
    onSuccess: async () => {
      // A wallet that switched to another account stays, to sign in with that one.
      if (signer?.address === session.data?.wallet) disconnect();
      // What the last wallet saw must not be shown to the next one.
      utils.session.read.setData(undefined, null);
      await utils.dashboard.invalidate(undefined, { refetchType: 'none' });
    },
  });
  if (session.error)
    return (
      <LoadFailed title={t('error')} onAgain={session.refetch}>
        {words(failureOf(session.error))}
      </LoadFailed>
    );
  if (session.data === undefined)
    return (
      <div className="card">
        <Skeleton lines={4} label={t('checking')} />
      </div>
    );
  if (session.data === null)
    return <SignIn onSignedIn={() => void utils.session.read.invalidate()} />;
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
      <Attention />
      <Tabs
        label={t('tabs.label')}
        tabs={[
          { id: 'seller', label: t('tabs.seller'), content: <Side role="seller" /> },
          { id: 'payer', label: t('tabs.payer'), content: <Side role="payer" /> },
          {
            id: 'automatic',
            label: t('tabs.automatic'),
            content: <Registration wallet={wallet} />,
          },
        ]}
      />
    </div>
  );
}
