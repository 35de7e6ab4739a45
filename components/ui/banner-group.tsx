import { useId, type ReactNode, type RefObject } from 'react';
import { Banner } from './banner';

/** A banner that can take the focus: a screen reader then reads its title and its text. */
export function BannerGroup({
  ref,
  children,
  ...rest
}: {
  ref: RefObject<HTMLDivElement | null>;
  kind: 'warning' | 'error';
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  const textId = useId();
  return (
    <div ref={ref} role="group" tabIndex={-1} aria-label={rest.title} aria-describedby={textId}>
      <Banner {...rest} quiet>
        <span id={textId}>{children}</span>
      </Banner>
    </div>
  );
}
