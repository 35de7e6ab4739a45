'use client';

import { useState } from 'react';
import { apiClient, withHeaders } from '../api-client';
import { useSite } from '../site-context';
import { Button } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import { ConnectWallet } from '../wallet/connect-wallet';
import { failureWords } from '../wallet/refusal-words';
import { proofText, type Signer } from '../wallet/signer';
import { useSigner } from '../wallet/wallet-host';

type Receipt = { receipt_id: string; tx_signature: string };

/** Lets the payer or the seller start a new try of a failed receipt: their wallet signs a text, nothing is paid. */
export function RetryReceipt({ receipt, onStarted }: { receipt: Receipt; onStarted: () => void }) {
  const { serviceName } = useSite();
  const { signer } = useSigner();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const retry = async (with_: Signer) => {
    setBusy(true);
    setFailure(null);
    try {
      if (await startAgain(with_, { serviceName, txSignature: receipt.tx_signature })) onStarted();
      else setFailure(TOO_SOON);
    } catch (error) {
      setFailure(failureWords(error, with_.name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="stack" aria-label="Try again">
      {failure ? (
        <FocusedBanner about={failure} kind="error" title="No new try was started">
          {failure}
        </FocusedBanner>
      ) : null}
      <div className="row">
        <ConnectWallet label="Connect wallet to try again" />
        {signer ? (
          <Button variant="primary" busy={busy} onClick={() => void retry(signer)}>
            {busy ? 'Waiting for the wallet…' : 'Try again'}
          </Button>
        ) : null}
      </div>
      <p className="muted small">
        For the payer and the seller, once an hour. The wallet signs a text and pays nothing.
      </p>
    </section>
  );
}

const TOO_SOON =
  'The last retry ended less than an hour ago, or the receipt has changed. Reload this page to see its state.';
const CANNOT_SIGN =
  'This wallet cannot sign a text, so it cannot show that it took part in the payment.';

/** Repeats the request of the receipt with a proof of wallet; true when the mint is pending again. */
async function startAgain(
  signer: Signer,
  o: { serviceName: string; txSignature: string },
): Promise<boolean> {
  if (!signer.signMessage) throw new Error(CANNOT_SIGN);
  const text = new TextEncoder().encode(proofText(o.serviceName, o.txSignature));
  const signature = await signer.signMessage(text);
  const { default: bs58 } = await import('bs58');
  const { body } = await apiClient.receipts.create.mutate(
    // The receipt keeps its labels: a repeat changes none.
    { tx_signature: o.txSignature, service_type: 'Receipt' },
    {
      context: withHeaders({
        'x-wallet-address': signer.address,
        'x-wallet-signature': bs58.encode(signature),
      }),
    },
  );
  return body.mint_status === 'pending';
}
