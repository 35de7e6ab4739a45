'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Banner } from './banner';
import { Button } from './button';

/** Names a part of the page that did not load, says why, and offers to load it again where `onAgain` can. */
export function LoadFailed(o: {
  title: string;
  children: ReactNode;
  onAgain: (() => unknown) | undefined;
}) {
  const { title, children, onAgain } = o;
  const t = useTranslations('ui');
  return (
    <Banner
      kind="error"
      title={title}
      actions={
        onAgain ? (
          <Button size="small" onClick={() => void onAgain()}>
            {t('again')}
          </Button>
        ) : null
      }
    >
      {children}
    </Banner>
  );
}
