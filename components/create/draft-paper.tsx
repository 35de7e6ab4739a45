'use client';

import { useTranslations } from 'next-intl';
import { Banner } from '../ui/banner';
import { ButtonLink } from '../ui/button';
import { Select } from '../ui/field';
import paper from '../ui/paper.module.css';
import type { RefusedFields } from '../refused-fields';
import { English } from '../use-error-words';
import { chooseCountry } from '../use-reader-country';
import { ConnectWallet } from '../wallet/connect-wallet';
import type { Signer } from '../wallet/signer';
import styles from './create.module.css';
import { ProvenPart, type Preview } from './draft-receipt';
import { LabelsForm, type LabelTexts } from './labels-form';
import type { RequestLabels } from './order-store';

export { readerCountry } from '../use-reader-country';

export type CountryOption = { value: string; label: string };

export type DraftProps = {
  txSignature: string;
  signer: Signer | null;
  country: string;
  countries: readonly CountryOption[];
  initial: LabelTexts;
  refused: RefusedFields;
  /** Another order asks the wallet at the moment. */
  isBusy: boolean;
  /** Called with the labels after each change. */
  onLabels: (labels: LabelTexts) => void;
  onCountry: (country: string) => void;
  onSubmit: (labels: RequestLabels, shownPriceRaw: string) => void;
};

/**
 * A receipt before it exists: the facts from the chain, the value in a chosen currency, and the
 * next step.
 */
export function DraftPaper(o: DraftProps & { preview: Preview }) {
  const t = useTranslations('create');
  return (
    <div className={paper['paper']}>
      <div className={styles['draft']}>
        <div className="stack">
          <ProvenPart preview={o.preview} />
          <div className={styles['country']}>
            <Select
              label={t('valueIn')}
              size="small"
              options={o.countries}
              value={o.country}
              onValue={(country) => {
                chooseCountry(country);
                o.onCountry(country);
              }}
            />
          </div>
        </div>
        <div className="stack">
          <NextStep {...o} />
        </div>
      </div>
    </div>
  );
}

function NextStep(o: DraftProps & { preview: Preview }) {
  const { preview, signer } = o;
  const t = useTranslations('create');
  const { transaction, receipt, price_raw: priceRaw } = preview;
  if (receipt)
    return (
      <Banner
        kind="success"
        title={t('has.title')}
        actions={
          <ButtonLink href={`/r/${receipt.receipt_id}`} variant="primary">
            {t('has.open', { id: receipt.receipt_id })}
          </ButtonLink>
        }
      >
        {t('has.text')}
      </Banner>
    );
  if (priceRaw === null)
    return (
      <Banner kind="warning" title={t('token.title')}>
        {transaction.valuation_error === null ? (
          t('token.text')
        ) : (
          <English>{transaction.valuation_error}</English>
        )}
      </Banner>
    );
  if (preview.closed)
    return (
      <Banner kind="warning" title={t('closed.title')}>
        {t.rich('closed.text', {
          reason: preview.closed,
          said: (reason) => <English>{reason}</English>,
        })}
      </Banner>
    );
  const isParty =
    signer !== null && [transaction.sender, transaction.receiver].includes(signer.address);
  return (
    <>
      {signer && !isParty ? (
        <Banner kind="warning" title={t('party.title')}>
          {t('party.text')}
        </Banner>
      ) : null}
      <LabelsForm
        preview={preview}
        priceRaw={priceRaw}
        initial={o.initial}
        refused={o.refused}
        disabled={!isParty || o.isBusy}
        onLabels={o.onLabels}
        connect={
          signer ? null : (
            <ConnectWallet
              variant="primary"
              label={t(priceRaw === '0' ? 'connectFree' : 'connectPaid')}
            />
          )
        }
        onSubmit={(labels) => o.onSubmit(labels, priceRaw)}
      />
    </>
  );
}
