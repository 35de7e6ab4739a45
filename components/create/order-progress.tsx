'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import type { Translate } from '@/i18n/translate';
import { progressSteps, useProgress, type Progress } from '../receipt/mint-progress';
import { useSite } from '../site-context';
import { useErrorWords } from '../use-error-words';
import { useAnnounce } from '../ui/announcer';
import { Banner } from '../ui/banner';
import { Button, ButtonLink } from '../ui/button';
import { Steps, type Step, type StepState } from '../ui/steps';
import paper from '../ui/paper.module.css';
import type { Phase } from './run-order';
import type { OrderState } from './order-state';

const PHASES: readonly Phase[] = [
  'proving',
  'asking',
  'approving',
  'sending',
  'confirming',
  'minting',
];

/** The steps of a receipt during its creation, and the receipt at the end. */
export function OrderProgress({ state, onNew }: { state: OrderState; onNew: () => void }) {
  const { order, phase } = state;
  const t = useTranslations('create');
  const p = useTranslations('progress');
  const errorWords = useErrorWords();
  const [end, setEnd] = useState<Progress | null>(null);
  const receiptId = phase === 'minting' ? order.receiptId : null;
  const { progress, isOffline } = useProgress(receiptId, setEnd);
  const steps = [...askSteps(state, t), ...progressSteps(p, progress).map(asPartOf(receiptId))];
  const title = t(end?.mint_status === 'completed' ? 'progress.ready' : 'progress.creating');
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is gone, so the focus moves to the heading of its result.
  useEffect(() => heading.current?.focus(), []);
  const announce = useAnnounce();
  const now = steps.find((step) => step.state === 'now');
  const line = end
    ? end.mint_status === 'completed'
      ? t('progress.readyLine')
      : t('progress.notRecordedLine')
    : now
      ? t('progress.line', { step: now.label, note: noteOf(phase, t) ?? '' }).trim()
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
        <Banner title={t('progress.resumed')}>{t('progress.resumedText')}</Banner>
      ) : null}
      <Steps steps={steps} label={p('label', { made: 'receipt' })} />
      {state.note ? (
        <Banner kind="warning">
          {state.note === 'unused' ? <Unused /> : errorWords(state.note)}
        </Banner>
      ) : null}
      {isOffline ? <Banner kind="warning">{p('offline', { made: 'receipt' })}</Banner> : null}
      {end?.mint_status === 'failed' ? (
        <Banner kind="error" title={t('progress.failed')} quiet>
          {t('progress.failedText')}
        </Banner>
      ) : null}
      {end?.mint_status === 'completed' && receiptId ? (
        // eslint-disable-next-line @next/next/no-img-element
        <img
          className={paper['image']}
          src={`/receipt/${receiptId}/image.png`}
          width={1000}
          height={1000}
          alt={t('progress.image', { id: receiptId })}
        />
      ) : null}
      {receiptId ? (
        <div className="row">
          <ButtonLink href={`/r/${receiptId}`} variant="primary">
            {t('progress.open')}
          </ButtonLink>
          <Button variant="quiet" onClick={onNew}>
            {t('progress.another')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** The payment bought nothing, because the receipt exists by another request. */
function Unused() {
  const t = useTranslations('create');
  const { operator } = useSite();
  return t.rich('note.unused', {
    contact: operator.contact,
    link: (contact) => <a href={operator.contactUri}>{contact}</a>,
    // In a new tab, because this one follows the receipt.
    docs: (words) => (
      <a href="/docs#paying" target="_blank" rel="noreferrer" hrefLang="en">
        {words}
      </a>
    ),
  });
}

/** An order beside the choice of a payment, after "Back" or a link to this page. It continues, and stays in reach. */
export function OrderAside({ state, onShow }: { state: OrderState; onShow: () => void }) {
  const { receiptId } = state.order;
  const t = useTranslations('create');
  const announce = useAnnounce();
  const title = receiptId === null ? t('aside.running') : t('aside.done', { id: receiptId });
  useEffect(() => announce(title), [announce, title]);
  return (
    <Banner
      kind={receiptId === null ? 'info' : 'success'}
      quiet
      title={title}
      actions={
        receiptId === null ? (
          <Button size="small" onClick={onShow}>
            {t('aside.show')}
          </Button>
        ) : (
          <ButtonLink size="small" href={`/r/${receiptId}`}>
            {t('aside.open')}
          </ButtonLink>
        )
      }
    >
      {receiptId === null ? t('aside.runningText') : null}
    </Banner>
  );
}

/** The steps before the receipt is written: proof and, if a fee is due, payment. */
function askSteps({ order, phase, since }: OrderState, t: Texts): Step[] {
  const at = phase === null ? -1 : PHASES.indexOf(phase);
  const step = (id: string, words: { done: string; now: string }, phases: Phase[]): Step => {
    const last = Math.max(...phases.map((one) => PHASES.indexOf(one)));
    const isNow = phase !== null && phases.includes(phase);
    const state: StepState = isNow ? 'now' : at > last ? 'done' : 'next';
    return {
      id,
      state,
      label: state === 'done' ? words.done : words.now,
      ...(isNow ? { since, note: noteOf(phase, t) } : {}),
    };
  };
  return [
    step('proof', { done: t('step.proved'), now: t('step.proving') }, ['proving', 'asking']),
    ...(order.quote
      ? [
          step('payment', { done: t('step.paid'), now: t('step.paying') }, [
            'approving',
            'sending',
            'confirming',
          ]),
        ]
      : []),
  ];
}

type Texts = Translate<'create'>;

/** The reader's next action in a phase, required or optional. Null when there is none. */
function noteOf(phase: Phase | null, t: Texts): string | null {
  return phase === 'proving' || phase === 'approving' || phase === 'confirming'
    ? t(`note.${phase}`)
    : null;
}

/** Before the receipt is written, its own steps are all pending. */
function asPartOf(receiptId: string | null) {
  return (step: Step): Step =>
    receiptId === null ? { id: step.id, label: step.label, state: 'next' } : step;
}
