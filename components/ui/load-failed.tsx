'use client';

import { useTranslations } from 'next-intl';
import { useEffect, type ReactNode } from 'react';
import { useAnnounce } from './announcer';
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
  const announce = useAnnounce();
  useEffect(() => announce(title), [announce, title]);
  return (
    <Banner
      kind="error"
      title={title}
      quiet
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
