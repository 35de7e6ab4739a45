'use client';

import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { apiClient, withHeaders } from '../api-client';
import { useSite } from '../site-context';
import { Button } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useFailureWords } from '../wallet/use-failure-words';
import { proofText, type Signer } from '../wallet/signer';
import { useSigner } from '../wallet/wallet-host';

type Receipt = { receipt_id: string; tx_signature: string };

/** Lets the payer or the seller start a new try of a failed receipt: their wallet signs a text, nothing is paid. */
export function RetryReceipt({ receipt, onStarted }: { receipt: Receipt; onStarted: () => void }) {
  const t = useTranslations('receipt');
  const { serviceName } = useSite();
  const { signer } = useSigner();
  const words = useFailureWords();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ReactNode>(null);
  const retry = async (with_: Signer) => {
    setBusy(true);
    setFailure(null);
    try {
      const { address, signMessage: sign } = with_;
      const txSignature = receipt.tx_signature;
      if (!sign) setFailure(t('retry.cannotSign'));
      else if (await startAgain({ address, sign, serviceName, txSignature })) onStarted();
      else setFailure(t('retry.tooSoon'));
    } catch (error) {
      setFailure(words(error, with_.name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="stack" aria-label={t('retry.label')}>
      {failure ? (
        <FocusedBanner about={failure} kind="error" title={t('retry.failed')}>
          {failure}
        </FocusedBanner>
      ) : null}
      <div className="row">
        <ConnectWallet label={t('retry.connect')} />
        {signer ? (
          <Button variant="primary" busy={busy} onClick={() => void retry(signer)}>
            {busy ? t('retry.waiting') : t('retry.label')}
          </Button>
        ) : null}
      </div>
      <p className="muted small">{t('retry.text')}</p>
    </section>
  );
}

/** Repeats the request of the receipt with a proof of wallet; true when the mint is pending again. */
async function startAgain(o: {
  address: string;
  sign: NonNullable<Signer['signMessage']>;
  serviceName: string;
  txSignature: string;
}): Promise<boolean> {
  const text = new TextEncoder().encode(proofText(o.serviceName, o.txSignature));
  const signature = await o.sign(text);
  const { default: bs58 } = await import('bs58');
  const { body } = await apiClient.receipts.create.mutate(
    // The receipt keeps its labels: a repeat changes none.
    { tx_signature: o.txSignature, service_type: 'Receipt' },
    {
      context: withHeaders({
        'x-wallet-address': o.address,
        'x-wallet-signature': bs58.encode(signature),
      }),
    },
  );
  return body.mint_status === 'pending';
}
