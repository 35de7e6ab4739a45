import { useLocale, useTranslations } from 'next-intl';
import { languageOf } from '@/i18n/locales';

/** Says in the reader's language that a page is in English. Empty for readers of English. */
export function EnglishNote() {
  const t = useTranslations('frame');
  const language = languageOf(useLocale());
  if (language === 'en') return null;
  return (
    <p className="muted" lang={language}>
      {t('inEnglish')}
    </p>
  );
}
