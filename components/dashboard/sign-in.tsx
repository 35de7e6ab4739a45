'use client';

import { useState } from 'react';
import { apiClient } from '../api-client';
import { Button } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import { ConnectWallet } from '../wallet/connect-wallet';
import { failureWords } from '../wallet/refusal-words';
import type { Signer } from '../wallet/signer';
import { useSigner } from '../wallet/wallet-host';

/** Connects a wallet, which then signs a message that opens the dashboard. */
export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const { signer } = useSigner();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const start = async (with_: Signer) => {
    setBusy(true);
    setFailure(null);
    try {
      await signInWith(with_);
      onSignedIn();
    } catch (error) {
      setFailure(failureWords(error, with_.name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="card stack" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in with your wallet</h2>
      <p>
        See the receipts of payments you received and made, with totals by month. Sellers also see
        the countries of their payers. Signing in moves no money and gives no access to your funds.
      </p>
      {failure ? (
        <FocusedBanner about={failure} kind="error" title="You are not signed in">
          {failure}
        </FocusedBanner>
      ) : null}
      <div className="row">
        <ConnectWallet variant="primary" />
        {signer ? (
          <Button variant="primary" busy={busy} onClick={() => void start(signer)}>
            {busy ? 'Waiting for the wallet…' : 'Sign in'}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** Uses the wallet's own sign-in where it has one. Another wallet signs the same message as plain text. */
async function signInWith(signer: Signer): Promise<void> {
  const { address } = signer;
  const { input, message } = await apiClient.session.begin.mutate({ address });
  const text = new TextEncoder().encode(message);
  const signed = signer.signIn
    ? await signer.signIn(input)
    : signer.signMessage
      ? { signedMessage: text, signature: await signer.signMessage(text) }
      : null;
  if (!signed) throw new Error(`${signer.name} cannot sign messages. Use another wallet app.`);
  const { default: bs58 } = await import('bs58');
  await apiClient.session.complete.mutate({
    address,
    signed_message: btoa(String.fromCharCode(...signed.signedMessage)),
    signature: bs58.encode(signed.signature),
  });
}
