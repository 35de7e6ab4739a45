'use client';

import { useTranslations } from 'next-intl';
import { Banner } from '../ui/banner';
import { ButtonLink } from '../ui/button';
import { Field } from '../ui/field';
import type { Input } from './read-input';

/** The field at the start of the page, for a payment, wallet, name or link. */
export function PaymentField({
  value,
  read,
  onChange,
}: {
  value: string;
  /** The value as an input that the page understands. */
  read: Input;
  onChange: (text: string) => void;
}) {
  const t = useTranslations('create');
  const name =
    read.kind === 'page'
      ? t(read.page === 'receipt' ? 'receiptNo' : 'statementNo', { id: read.id })
      : '';
  return (
    <>
      <Field
        label={t('field.label')}
        mono
        value={value}
        placeholder={t('field.placeholder')}
        onValue={onChange}
        help={t('field.help')}
        error={read.kind === 'other' ? t(`input.${read.why}`, { ...read.values }) : null}
      />
      <div role="status">
        {read.kind === 'page' ? (
          <Banner
            quiet
            title={t('page.title', { name })}
            actions={
              <ButtonLink href={read.path} size="small">
                {t('page.open', { name })}
              </ButtonLink>
            }
          >
            {t('page.text')}
          </Banner>
        ) : null}
      </div>
    </>
  );
}
