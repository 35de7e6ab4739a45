'use client';

import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import type { Failure } from './failures';

/** A failure in words, with the way on. */
export function FailureBanner(o: {
  failure: Failure;
  onResume: () => void;
  onOtherWallet: () => void;
}) {
  const { failure } = o;
  return (
    <Banner
      kind={failure.kind}
      title={failure.title}
      actions={
        failure.way === 'resume' ? (
          <Button size="small" onClick={o.onResume}>
            Look again
          </Button>
        ) : failure.way === 'other_wallet' ? (
          <Button size="small" onClick={o.onOtherWallet}>
            Use another wallet
          </Button>
        ) : null
      }
    >
      {failure.text}
    </Banner>
  );
}
