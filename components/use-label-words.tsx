'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { LabelRefusal } from '@/server/receipts/judge-label';
import { English } from './use-error-words';

/** Words for entries: why one is refused, and how one will be written. */
export function useLabelWords() {
  const t = useTranslations('labels');
  const bdi = (text: ReactNode) => <bdi>{text}</bdi>;
  return {
    refused(refusal: LabelRefusal | string | undefined): ReactNode {
      if (refusal === undefined) return null;
      if (typeof refusal === 'string') return <English>{refusal}</English>;
      switch (refusal.code) {
        case 'too_long':
          return t('refused.too_long', { most: refusal.most, length: refusal.length });
        case 'domain':
        case 'prize':
        case 'no_glyph':
          return t.rich(`refused.${refusal.code}`, { found: refusal.found, bdi });
        default:
          return t(`refused.${refusal.code}`);
      }
    },
    written(text: string | null): ReactNode {
      return text === null ? null : t.rich('written', { text, bdi });
    },
  };
}
