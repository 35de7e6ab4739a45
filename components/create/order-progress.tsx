'use client';

import { useState } from 'react';
import { progressSteps, useProgress, type Progress } from '../receipt/mint-progress';
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

/** The paper again, filled line by line as the steps finish. */
export function OrderProgress({ state, onNew }: { state: OrderState; onNew: () => void }) {
  const { order, phase } = state;
  const [end, setEnd] = useState<Progress | null>(null);
  const receiptId = phase === 'minting' ? order.receiptId : null;
  const { progress, isOffline } = useProgress(receiptId, setEnd);
  const steps = [...askSteps(state), ...progressSteps(progress).map(asPartOf(receiptId))];
  return (
    <div className={paper['paper']}>
      <h2>
        {end?.mint_status === 'completed' ? 'Your receipt is ready' : 'Creating your receipt'}
      </h2>
      {state.isResumed && phase === 'confirming' ? (
        <Banner title="Taking up where you left off">
          You sent a payment before this page was closed. We are looking for it, and will not ask
          you to pay again.
        </Banner>
      ) : null}
      <Steps steps={steps} label="Progress of the receipt" />
      {state.note ? <Banner kind="warning">{state.note}</Banner> : null}
      {isOffline ? (
        <Banner kind="warning">
          The service does not answer at the moment. The receipt goes on being made; we look again
          every few seconds.
        </Banner>
      ) : null}
      {end?.mint_status === 'failed' ? (
        <Banner kind="error" title="The proof on chain could not be made yet">
          The receipt itself is written and your payment is not affected
          {end.last_error ? ` (${end.last_error})` : ''}. Nothing more is charged: open the receipt
          to see its state.
        </Banner>
      ) : null}
      {end?.mint_status === 'completed' && receiptId ? (
        // eslint-disable-next-line @next/next/no-img-element
        <img
          className={paper['picture']}
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
    step('proof', { done: 'Wallet proven', now: 'Proving your wallet' }, ['proving', 'asking']),
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
      return { note: 'Approve the text in your wallet.' };
    case 'approving':
      return { note: 'Approve the payment in your wallet.' };
    case 'confirming':
      return {
        note: 'Your payment was sent and is being confirmed. You may close this page: the receipt is made all the same, and you will not be asked to pay again.',
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
