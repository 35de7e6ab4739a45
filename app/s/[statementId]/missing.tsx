import { useTranslations } from 'next-intl';
import { MessagePage } from '@/components/message-page';
import { ButtonLink } from '@/components/ui/button';

/** The page for an unknown statement. */
export function MissingStatement() {
  const t = useTranslations('statement');
  return (
    <MessagePage
      title={t('missing.title')}
      lead={t('missing.text')}
      actions={<ButtonLink href="/statements">{t('missing.make')}</ButtonLink>}
    />
  );
}
