'use client';

import { useTranslations } from 'next-intl';
import { Banner } from '../ui/banner';
import { ButtonLink } from '../ui/button';
import { Field } from '../ui/field';
import { readInput } from './read-input';

/** The field that everything begins with. */
export function PaymentField({
  value,
  onChange,
}: {
  value: string;
  onChange: (text: string) => void;
}) {
  const t = useTranslations('create');
  const read = readInput(value);
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
        onChange={(event) => onChange(event.target.value)}
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
