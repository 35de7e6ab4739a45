'use client';

import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Banner } from './banner';

/**
 * A banner that answers something the reader just did. It comes into view and takes the focus, so that a screen
 * reader reads it and the next key press starts there. `about` is the event: a new one takes the focus again.
 */
export function FocusedBanner(o: {
  about: unknown;
  kind: 'warning' | 'error';
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const textId = useId();
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView({ block: 'nearest' });
  }, [o.about]);
  return (
    <div ref={ref} role="group" tabIndex={-1} aria-label={o.title} aria-describedby={textId}>
      <Banner kind={o.kind} title={o.title} actions={o.actions} quiet>
        <span id={textId}>{o.children}</span>
      </Banner>
    </div>
  );
}
