'use client';

import { Button } from '../ui/button';
import { FocusedBanner } from '../ui/focused-banner';
import type { Failure } from './failures';

/** A failure in words, with the way on. */
export function FailureBanner(o: {
  failure: Failure;
  onResume: () => void;
  onOtherWallet: () => void;
}) {
  const { failure } = o;
  return (
    <FocusedBanner
      about={failure}
      kind={failure.kind}
      title={failure.title}
      actions={
        failure.way === 'resume' ? (
          <Button size="small" onClick={o.onResume}>
            Check again
          </Button>
        ) : failure.way === 'other_wallet' ? (
          <Button size="small" onClick={o.onOtherWallet}>
            Use another wallet
          </Button>
        ) : null
      }
    >
      {failure.text}
    </FocusedBanner>
  );
}
