'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { Translate } from '@/i18n/translate';
import type { ApiFailure } from '../api-client';
import type { PayPhase } from '../create/pay-quote';
import { Address } from '../ui/address';
import { amountOf } from '../ui/amount';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { dateText } from '../ui/dates';
import { Steps, type StepState } from '../ui/steps';
import { useErrorWords } from '../use-error-words';
import type { StatementRequest } from './statement-period';

export type Offer = {
  request: StatementRequest;
  quote: { id: string; priceRaw: string };
  count: number;
};
export type Work = {
  phase: PayPhase | 'preparing';
  since: string;
  note: ApiFailure | null;
};

/** The offered statement: its payments, its period, its price, and the button that pays it. */
export function StatementOffer({ offer, onPay }: { offer: Offer; onPay: () => void }) {
  const t = useTranslations('statement');
  const locale = useLocale();
  const price = amountOf(offer.quote.priceRaw, 6, locale);
  return (
    <section className="card stack" aria-label={t('form.offer')}>
      <h2>{t('form.count', { count: offer.count })}</h2>
      <Period request={offer.request} />
      <p>{t('form.price', { price })}</p>
      <div>
        <Button variant="primary" onClick={onPay}>
          {t('form.make', { price })}
        </Button>
      </div>
    </section>
  );
}

function Period({ request }: { request: StatementRequest }) {
  const t = useTranslations('statement');
  const locale = useLocale();
  const first = dateText(request.period_start, locale, 'day');
  const last = dateText(request.period_end, locale, 'day');
  return <p>{first === last ? t('form.oneDay', { first }) : t('form.period', { first, last })}</p>;
}

/**
 * The steps of a statement that is being paid. `request` is its wallet and period, which may differ from
 * the form when the reader left the page and came back.
 */
export function StatementProgress(o: { work: Work; request: StatementRequest | null }) {
  const { work, request } = o;
  const t = useTranslations('statement');
  const errorWords = useErrorWords();
  return (
    // The pressed button is gone, so the focus moves here.
    <section className="card stack" aria-label={t('form.progress')} data-focus-home tabIndex={-1}>
      {request ? (
        <div>
          <Address value={request.wallet_address} label={t('view.wallet')} />
          <Period request={request} />
        </div>
      ) : null}
      <Steps label={t('form.progressOf')} steps={stepsOf(t, work)} />
      {work.note ? <Banner kind="warning">{errorWords(work.note)}</Banner> : null}
    </section>
  );
}

const PHASES = ['preparing', 'approving', 'sending', 'confirming'] as const;

function stepsOf(t: Translate<'statement'>, work: Work) {
  const at = PHASES.findIndex((phase) => phase === work.phase);
  return PHASES.map((phase, i) => {
    const state: StepState = i < at ? 'done' : i === at ? 'now' : 'next';
    return {
      id: phase,
      label: t(`form.step.${phase}`),
      state,
      ...(i === at ? { since: work.since } : {}),
    };
  });
}
