'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState, type FormEvent, type ReactNode } from 'react';
import { MOST_TYPED, refusedEntries } from '../check-entries';
import type { RefusedFields } from '../refused-fields';
import { useSite } from '../site-context';
import { amountOf } from '../ui/amount';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { useFocusRefused } from '../ui/use-focus-refused';
import { useLabelWords } from '../use-label-words';
import { useWritten } from '../use-written';
import { proofText } from '../wallet/signer';
import styles from './create.module.css';
import type { Preview } from './draft-receipt';
import type { RequestLabels } from './order-store';

export type LabelTexts = {
  service_type: string;
  transaction_type: string;
  invoice_id: string;
};

/**
 * The rest of the receipt: the missing entries, what happens to it, and the button with the price. The entries are
 * checked before the wallet is asked.
 */
export function LabelsForm(o: {
  preview: Preview;
  priceRaw: string;
  initial: LabelTexts;
  /** A wallet that is part of the payment is not connected yet. */
  disabled: boolean;
  /** Replaces the button until a wallet is connected. */
  connect: ReactNode;
  /** The service's reasons for refused entries, by the entry's name. */
  refused: RefusedFields;
  /** Called with the labels after each change. */
  onLabels: (labels: LabelTexts) => void;
  onSubmit: (labels: RequestLabels) => void;
}) {
  const t = useTranslations('create');
  const words = useLabelWords();
  const price = `${amountOf(o.priceRaw, 6, useLocale())} USDC`;
  const isFree = o.priceRaw === '0';
  const [labels, setLabels] = useState(o.initial);
  // `round` grows with each check, so that the focus moves only then and not during typing.
  const [refused, setRefused] = useState({ fields: o.refused, round: 0 });
  const [isChecking, setChecking] = useState(false);
  const written = useWritten(labels);
  const report = useEffectEvent(o.onLabels);
  useEffect(() => report(labels), [labels]);
  const form = useFocusRefused<HTMLFormElement>(refused.round);

  const submit = async () => {
    setChecking(true);
    const entries = requestLabels(labels);
    const fields = await refusedEntries(entries);
    // The reader has chosen another payment meanwhile.
    if (!form.current) return;
    setChecking(false);
    setRefused(({ round }) => ({ fields, round: round + 1 }));
    if (Object.keys(fields).length === 0) o.onSubmit(entries);
  };
  const field = (name: keyof LabelTexts) => ({
    value: labels[name],
    maxLength: MOST_TYPED,
    help: words.written(written(name)),
    error: words.refused(refused.fields[name]),
    onValue: (text: string) => {
      setLabels((before) => ({ ...before, [name]: text }));
      setRefused(({ fields: { [name]: _, ...fields }, round }) => ({ fields, round }));
    },
  });
  const purpose = field('service_type');
  const isMissing = isEmpty(refused.fields['service_type']);
  return (
    <form
      ref={form}
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!o.disabled && !isChecking) void submit();
      }}
    >
      <div className={styles['labels']}>
        <Field
          {...purpose}
          label={t('label.for')}
          required
          aria-required="true"
          placeholder={t('label.forExample')}
          error={isMissing ? t('label.forMissing') : purpose.error}
        />
        <div className={styles['pair']}>
          <Field {...field('invoice_id')} label={t('label.invoice')} optional />
          <Field
            {...field('transaction_type')}
            label={t('label.kind')}
            optional
            placeholder={t('label.kindExample')}
          />
        </div>
      </div>
      <Notes txSignature={o.preview.transaction.tx_signature} {...{ isFree, price }} />
      {o.connect ?? (
        <Button type="submit" variant="primary" wide disabled={o.disabled} busy={isChecking}>
          {isFree ? t('createFree') : t('create', { price })}
        </Button>
      )}
    </form>
  );
}

/** Notes on public data, on data for the seller, and on the questions of the wallet. */
function Notes(o: { txSignature: string; isFree: boolean; price: string }) {
  const t = useTranslations('create');
  const { serviceName } = useSite();
  return (
    <div className="stack small">
      <ul className={styles['notes']}>
        <li>{t.rich('notes.public', { b: bold })}</li>
        <li>{t.rich('notes.shared', { b: bold })}</li>
        <li>
          {t.rich(o.isFree ? 'notes.asksOnce' : 'notes.asksTwice', {
            text: proofText(serviceName, o.txSignature),
            price: o.price,
            b: bold,
            code: (message) => <code>{message}</code>,
          })}
        </li>
      </ul>
    </div>
  );
}

function requestLabels(labels: LabelTexts): RequestLabels {
  const [kind, invoice] = [labels.transaction_type.trim(), labels.invoice_id.trim()];
  return {
    service_type: labels.service_type.trim(),
    ...(kind === '' ? {} : { transaction_type: kind }),
    ...(invoice === '' ? {} : { invoice_id: invoice }),
  };
}

function isEmpty(refusal: RefusedFields[string] | undefined): boolean {
  return typeof refusal === 'object' && refusal.code === 'empty';
}

function bold(text: ReactNode) {
  return <strong>{text}</strong>;
}
