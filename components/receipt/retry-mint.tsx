'use client';

import bs58 from 'bs58';
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

type Failed = { made: 'receipt'; txSignature: string } | { made: 'statement'; statementId: string };

/**
 * Lets the payer or the seller of a failed receipt, or the wallet of a failed statement, start a
 * retry. The wallet signs a text and pays nothing.
 */
export function RetryMint({ failed, onStarted }: { failed: Failed; onStarted: () => void }) {
  const t = useTranslations('progress');
  const { serviceName } = useSite();
  const { signer } = useSigner();
  const words = useFailureWords();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ReactNode>(null);
  const { made } = failed;
  const retry = async (with_: Signer) => {
    setBusy(true);
    setFailure(null);
    try {
      const { address, signMessage: sign } = with_;
      if (!sign) setFailure(t('retry.cannotSign', { made }));
      else if (await startAgain({ address, sign, serviceName, failed })) onStarted();
      else setFailure(t('retry.tooSoon', { made }));
    } catch (error) {
      setFailure(words(error, with_.name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="stack screen-only" aria-label={t('retry.label')}>
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
      <p className="muted small">{t('retry.text', { made })}</p>
    </section>
  );
}

/** Requests a retry with a proof of wallet. True when the mint is pending again. */
async function startAgain(o: {
  address: string;
  sign: NonNullable<Signer['signMessage']>;
  serviceName: string;
  failed: Failed;
}): Promise<boolean> {
  const { failed } = o;
  const subject = failed.made === 'receipt' ? failed.txSignature : failed.statementId;
  const signature = await o.sign(new TextEncoder().encode(proofText(o.serviceName, subject)));
  const context = withHeaders({
    'x-wallet-address': o.address,
    'x-wallet-signature': bs58.encode(signature),
  });
  if (failed.made === 'statement') {
    const progress = await apiClient.web.retryStatement.mutate(
      { statement_id: failed.statementId },
      { context },
    );
    return progress.mint_status === 'pending';
  }
  const { body } = await apiClient.receipts.create.mutate(
    // The receipt keeps its labels, because a retry changes none.
    { tx_signature: failed.txSignature, service_type: 'Receipt' },
    { context },
  );
  return body.mint_status === 'pending';
}
