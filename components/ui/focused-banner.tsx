'use client';

import type { ReactNode } from 'react';
import { BannerGroup } from './banner-group';
import { useFocusOn } from './use-focus-on';

/**
 * A banner that answers the reader's last action. It comes into view and takes the focus, so that a
 * screen reader reads it and the next key press starts there. `about` is the event: a new one takes
 * the focus again.
 */
export function FocusedBanner({
  about,
  ...rest
}: {
  about: unknown;
  kind: 'warning' | 'error';
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  const ref = useFocusOn<HTMLDivElement>(about);
  return <BannerGroup ref={ref} {...rest} />;
}
