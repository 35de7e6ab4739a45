'use client';

import bs58 from 'bs58';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { apiClient } from '../api-client';
import { shorten } from '../ui/address';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useFailureWords } from '../wallet/use-failure-words';
import type { Signer } from '../wallet/signer';
import { useSigner } from '../wallet/wallet-host';

type SignInProps = {
  /** A session ended while its wallet was shown. */
  hasEnded: boolean;
  onSignedIn: () => void;
};

/** Connects a wallet, which then signs a message that opens the dashboard. */
export function SignIn({ hasEnded, onSignedIn }: SignInProps) {
  const t = useTranslations('dashboard');
  const { signer } = useSigner();
  const words = useFailureWords();
  const announce = useAnnounce();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ReactNode>(null);
  const start = async (with_: Signer) => {
    setBusy(true);
    setFailure(null);
    try {
      if (await signInWith(with_)) {
        announce(t.markup('signedIn', { wallet: () => shorten(with_.address) }));
        onSignedIn();
      } else setFailure(t('signIn.cannotSign', { name: with_.name }));
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
      {hasEnded && !failure ? (
        <FocusedBanner about="ended" kind="warning" title={t('signIn.ended')}>
          {t('signIn.endedText')}
        </FocusedBanner>
      ) : null}
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
 * Uses the wallet's own sign-in if it has one. Another wallet signs the same message as plain text.
 * False if it cannot.
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
  await apiClient.session.complete.mutate({
    address,
    signed_message: btoa(String.fromCharCode(...signed.signedMessage)),
    signature: bs58.encode(signed.signature),
  });
  return true;
}
