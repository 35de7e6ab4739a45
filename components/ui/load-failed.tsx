'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, type ReactNode } from 'react';
import { useAnnounce } from './announcer';
import { BannerGroup } from './banner-group';
import { Button } from './button';
import { answersPress, askAgain } from './last-press';
import { takeFocus } from './use-focus-on';

/**
 * Names a part of the page that did not load and the reason. Offers to load it again if there is
 * `onAgain`, and takes the focus if that fails again.
 */
export function LoadFailed(o: {
  title: string;
  /** The name of the part, if several on the page share a title. */
  part?: string;
  children: ReactNode;
  /**
   * Loads it again. A promise resolves when that ended, if this banner stays in the page until
   * then.
   */
  onAgain: (() => unknown) | undefined;
}) {
  const { title, part = title, children, onAgain } = o;
  const t = useTranslations('ui');
  const announce = useAnnounce();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answersPress(part)) takeFocus(ref.current);
    else announce(title);
  }, [announce, title, part]);
  const loadAgain = async () => {
    askAgain(part);
    const loading = onAgain?.();
    if (!(loading instanceof Promise)) return;
    await loading;
    if (ref.current && answersPress(part)) takeFocus(ref.current);
  };
  return (
    <BannerGroup
      ref={ref}
      kind="error"
      title={title}
      actions={
        onAgain ? (
          <Button size="small" onClick={() => void loadAgain()}>
            {t('again')}
          </Button>
        ) : null
      }
    >
      {children}
    </BannerGroup>
  );
}
