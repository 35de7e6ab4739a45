'use client';

import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { apiClient } from '../api-client';
import { Button } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useFailureWords } from '../wallet/use-failure-words';
import type { Signer } from '../wallet/signer';
import { useSigner } from '../wallet/wallet-host';

/** Connects a wallet, which then signs a message that opens the dashboard. */
export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const t = useTranslations('dashboard');
  const { signer } = useSigner();
  const words = useFailureWords();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ReactNode>(null);
  const start = async (with_: Signer) => {
    setBusy(true);
    setFailure(null);
    try {
      if (await signInWith(with_)) onSignedIn();
      else setFailure(t('signIn.cannotSign', { name: with_.name }));
    } catch (error) {
      setFailure(words(error, with_.name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="card stack" aria-labelledby="sign-in">
      <h2 id="sign-in">{t('signIn.title')}</h2>
      <p>{t('signIn.text')}</p>
      {failure ? (
        <FocusedBanner about={failure} kind="error" title={t('signIn.failed')}>
          {failure}
        </FocusedBanner>
      ) : null}
      <div className="row">
        <ConnectWallet variant="primary" />
        {signer ? (
          <Button variant="primary" busy={busy} onClick={() => void start(signer)}>
            {t(busy ? 'signIn.waiting' : 'signIn.button')}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/**
 * Uses the wallet's own sign-in where it has one. Another wallet signs the same message as plain text; false where
 * it cannot.
 */
async function signInWith(signer: Signer): Promise<boolean> {
  const { address } = signer;
  const { input, message } = await apiClient.session.begin.mutate({ address });
  const text = new TextEncoder().encode(message);
  const signed = signer.signIn
    ? await signer.signIn(input)
    : signer.signMessage
      ? { signedMessage: text, signature: await signer.signMessage(text) }
      : null;
  if (!signed) return false;
  const { default: bs58 } = await import('bs58');
  await apiClient.session.complete.mutate({
    address,
    signed_message: btoa(String.fromCharCode(...signed.signedMessage)),
    signature: bs58.encode(signed.signature),
  });
  return true;
}
