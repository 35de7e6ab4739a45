'use client';

import { useState } from 'react';
import { apiClient, failureOf } from '../api-client';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { ConnectWallet } from '../wallet/connect-wallet';
import { isRejection, type Signer } from '../wallet/signer';

type SignInProps = {
  signer: Signer | null;
  onSigner: (signer: Signer | null) => void;
  onSignedIn: () => void;
};

/** Connects a wallet and lets it sign a message that opens the dashboard. */
export function SignIn({ signer, onSigner, onSignedIn }: SignInProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const start = async (with_: Signer) => {
    setBusy(true);
    setFailure(null);
    try {
      await signInWith(with_);
      onSignedIn();
    } catch (error) {
      setFailure(wordsFor(error, with_.name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="card stack" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in with your wallet</h2>
      <p>
        See the receipts of payments you received and made, with totals by month. As a seller you
        also see which countries your payers paid from. Signing in moves no money and gives no
        access to your funds.
      </p>
      {failure ? (
        <Banner kind="error" title="You are not signed in.">
          {failure}
        </Banner>
      ) : null}
      <div className="row">
        <ConnectWallet
          signer={signer}
          onSigner={onSigner}
          variant={signer ? 'secondary' : 'primary'}
        />
        {signer ? (
          <Button variant="primary" busy={busy} onClick={() => void start(signer)}>
            {busy ? 'Waiting for the wallet…' : 'Sign in'}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** With the wallet's own sign-in where it has one; else it signs the same message as a text. */
async function signInWith(signer: Signer): Promise<void> {
  const { address } = signer;
  const { input, message } = await apiClient.session.begin.mutate({ address });
  const text = new TextEncoder().encode(message);
  const signed = signer.signIn
    ? await signer.signIn(input)
    : signer.signMessage
      ? { signedMessage: text, signature: await signer.signMessage(text) }
      : null;
  if (!signed) throw new Error(`${signer.name} can sign neither in nor messages.`);
  const { default: bs58 } = await import('bs58');
  await apiClient.session.complete.mutate({
    address,
    signed_message: btoa(String.fromCharCode(...signed.signedMessage)),
    signature: bs58.encode(signed.signature),
  });
}

function wordsFor(error: unknown, name: string): string {
  if (isRejection(error)) return `The request was turned down in ${name}. Sign in when you like.`;
  const failure = failureOf(error);
  if (failure.code !== 'unreachable') return failure.message;
  return error instanceof Error && error.message !== '' ? error.message : failure.message;
}
