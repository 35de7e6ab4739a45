import { useTranslations } from 'next-intl';
import { MessagePage } from '@/components/message-page';
import { ButtonLink } from '@/components/ui/button';

/** The page for an unknown receipt. */
export function MissingReceipt() {
  const t = useTranslations('receipt');
  return (
    <MessagePage
      title={t('missing.title')}
      lead={t('missing.text')}
      actions={<ButtonLink href="/">{t('missing.create')}</ButtonLink>}
    />
  );
}
