'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { progressSteps, useProgress, type Progress } from '../receipt/mint-progress';
import { useAnnounce } from '../ui/announcer';
import { Banner } from '../ui/banner';
import { Button, ButtonLink } from '../ui/button';
import { Steps, type Step, type StepState } from '../ui/steps';
import paper from '../ui/paper.module.css';
import type { Phase } from './run-order';
import type { OrderState } from './use-order';

const PHASES: readonly Phase[] = [
  'proving',
  'asking',
  'approving',
  'sending',
  'confirming',
  'minting',
];

/** The steps of a receipt while it is created, and the receipt at the end. */
export function OrderProgress({ state, onNew }: { state: OrderState; onNew: () => void }) {
  const { order, phase } = state;
  const [end, setEnd] = useState<Progress | null>(null);
  const receiptId = phase === 'minting' ? order.receiptId : null;
  const { progress, isOffline } = useProgress(receiptId, setEnd);
  const steps = [
    ...askSteps(state),
    ...progressSteps(useTranslations('progress'), progress).map(asPartOf(receiptId)),
  ];
  const title =
    end?.mint_status === 'completed' ? 'Your receipt is ready' : 'Creating your receipt';
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed is gone, so the focus goes to the heading of its result.
  useEffect(() => heading.current?.focus(), []);
  const announce = useAnnounce();
  const now = steps.find((step) => step.state === 'now');
  const line = end
    ? end.mint_status === 'completed'
      ? 'Your receipt is ready.'
      : 'The receipt is written. It is not recorded on Solana yet.'
    : now
      ? `${now.label}. ${phase === null ? '' : (note(phase).note ?? '')}`.trim()
      : null;
  useEffect(() => {
    if (line !== null) announce(line);
  }, [line, announce]);
  return (
    <div className={paper['paper']}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {state.isResumed && phase === 'confirming' ? (
        <Banner title="Picking up where you left off">
          You sent a payment before this page was closed. We are checking it and will not charge you
          twice.
        </Banner>
      ) : null}
      <Steps steps={steps} label="Progress of the receipt" />
      {state.note ? <Banner kind="warning">{state.note}</Banner> : null}
      {isOffline ? (
        <Banner kind="warning">
          The service does not answer at the moment. It continues to create the receipt. This page
          checks again every few seconds.
        </Banner>
      ) : null}
      {end?.mint_status === 'failed' ? (
        <Banner kind="error" title="The receipt is not recorded on Solana yet">
          The receipt is written and your payment is not affected. You pay nothing more. Open the
          receipt to see its state.
        </Banner>
      ) : null}
      {end?.mint_status === 'completed' && receiptId ? (
        // eslint-disable-next-line @next/next/no-img-element
        <img
          className={paper['image']}
          src={`/receipt/${receiptId}/image.png`}
          width={1000}
          height={1000}
          alt={`The receipt ${receiptId}`}
        />
      ) : null}
      {receiptId ? (
        <div className="row">
          <ButtonLink href={`/r/${receiptId}`} variant="primary">
            Open the receipt
          </ButtonLink>
          <Button variant="quiet" onClick={onNew}>
            Create another
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** What comes before the receipt is written: proof and, where a fee is due, payment. */
function askSteps({ order, phase, since }: OrderState): Step[] {
  const at = phase === null ? -1 : PHASES.indexOf(phase);
  const step = (id: string, words: { done: string; now: string }, phases: Phase[]): Step => {
    const last = Math.max(...phases.map((one) => PHASES.indexOf(one)));
    const isNow = phase !== null && phases.includes(phase);
    const state: StepState = isNow ? 'now' : at > last ? 'done' : 'next';
    return {
      id,
      state,
      label: state === 'done' ? words.done : words.now,
      ...(isNow ? { since, ...note(phase) } : {}),
    };
  };
  return [
    step('proof', { done: 'Wallet verified', now: 'Verifying your wallet' }, ['proving', 'asking']),
    ...(order.quote
      ? [
          step('payment', { done: 'Fee paid', now: 'Paying the fee' }, [
            'approving',
            'sending',
            'confirming',
          ]),
        ]
      : []),
  ];
}

function note(phase: Phase): { note?: string } {
  switch (phase) {
    case 'proving':
      return { note: 'Approve the message in your wallet.' };
    case 'approving':
      return { note: 'Approve the payment in your wallet.' };
    case 'confirming':
      return {
        note: 'Your payment was sent and is being confirmed. You can close this page. We create the receipt anyway and will not charge you twice.',
      };
    default:
      return {};
  }
}

/** Before the receipt is written, its own steps are all to come. */
function asPartOf(receiptId: string | null) {
  return (step: Step): Step =>
    receiptId === null ? { id: step.id, label: step.label, state: 'next' } : step;
}
