'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useState, type FormEvent } from 'react';
import type { Translate } from '@/i18n/translate';
import { apiClient, failureOf, withHeaders, type ApiFailure } from '../api-client';
import { FailureBanner } from '../create/failure-banner';
import { OrderFailed, refused, requireNetwork, type Failure } from '../create/failures';
import {
  confirmPayment,
  payQuote,
  readQuote,
  type PayPhase,
  type Underway,
} from '../create/pay-quote';
import { useSite } from '../site-context';
import { amountOf } from '../ui/amount';
import { useErrorWords } from '../use-error-words';
import { useAnnounce } from '../ui/announcer';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Steps, type StepState } from '../ui/steps';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useSigner } from '../wallet/wallet-host';
import styles from './statement.module.css';
import { forgetUnderway, loadUnderway, saveUnderway } from './underway-store';

type Request = {
  wallet_address: string;
  period_start: string;
  period_end: string;
  output_formats: ('json' | 'csv')[];
};
type Offer = { request: Request; quote: { id: string; priceRaw: string }; count: number };
type Work = { phase: PayPhase | 'looking'; since: string; note: ApiFailure | null };

/** Choose wallet and period, see count and price, pay, and go to the statement. */
export function StatementForm({ today }: { today: string }) {
  const t = useTranslations('statement');
  const locale = useLocale();
  const site = useSite();
  const router = useRouter();
  const { signer, disconnect } = useSigner();
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [until, setUntil] = useState(today);
  const [anyOffer, setOffer] = useState<Offer | null>(null);
  const [work, setWork] = useState<Work | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const announce = useAnnounce();
  const usdc = (raw: string) => amountOf(raw, 6, locale);
  const errorWords = useErrorWords();
  // An offer is for the account it was asked for, and gone when the wallet switches to another.
  const offer = anyOffer?.request.wallet_address === signer?.address ? anyOffer : null;

  const say = (phase: Work['phase'], note?: ApiFailure) =>
    setWork((before) => ({
      phase,
      note: note ?? null,
      since: before?.phase === phase ? before.since : new Date().toISOString(),
    }));
  /** A failed preview says nothing of a payment under way, so only `pays` can end one. */
  const perform = async (work: () => Promise<void>, { pays }: { pays: boolean }) => {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      const seen = error instanceof OrderFailed ? error.failure : refused(failureOf(error));
      // A failure that no step foresaw says nothing of the payment either.
      if (pays && error instanceof OrderFailed && seen.way !== 'resume') forgetUnderway();
      setFailure(seen);
    }
    setWork(null);
  };
  const open = (id: string) => {
    forgetUnderway();
    router.push(`/s/${id}`);
  };
  const resume = (underway: Underway) =>
    perform(
      async () => open((await confirmPayment({ ...underway, headers: {}, onPhase: say })).id),
      { pays: true },
    );

  const phase = work?.phase ?? 'looking';
  useEffect(() => {
    if (phase !== 'looking') announce(t(`form.step.${phase}`));
  }, [phase, announce, t]);

  useEffect(() => {
    const timer = setTimeout(() => {
      const underway = loadUnderway();
      if (underway) void resume(underway);
    });
    return () => clearTimeout(timer);
    // Once, when the page is opened: what was under way when it was closed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const look = (event: FormEvent) => {
    event.preventDefault();
    if (!signer || work) return;
    const request: Request = {
      wallet_address: signer.address,
      period_start: `${from}T00:00:00Z`,
      // An end at second 59 includes that second.
      period_end: `${until}T23:59:59Z`,
      output_formats: ['json', 'csv'],
    };
    setOffer(null);
    void perform(
      async () => {
        say('looking');
        const found = await askFor(request);
        setOffer(found);
        announce(t('form.found', { count: found.count, price: usdc(found.quote.priceRaw) }));
      },
      { pays: false },
    );
  };
  const pay = () => {
    if (!signer || !offer || work) return;
    void perform(
      async () => {
        requireNetwork(signer, site.network);
        const bought = await payQuote({
          signer,
          quoteId: offer.quote.id,
          request: offer.request,
          headers: {},
          nothingSent: failure?.code === 'rejected_payment',
          onPhase: say,
          onUnderway: saveUnderway,
        });
        open(bought.id);
      },
      { pays: true },
    );
  };
  return (
    <div className="stack">
      <form className="card stack" onSubmit={look}>
        <ConnectWallet label={t('form.connect')} />
        <div className={styles['period']}>
          <Field
            label={t('form.first')}
            type="date"
            value={from}
            max={until}
            required
            onChange={(event) => setFrom(event.target.value)}
          />
          <Field
            label={t('form.last')}
            type="date"
            value={until}
            min={from}
            required
            onChange={(event) => setUntil(event.target.value)}
          />
        </div>
        <p className="muted small">{t('form.help')}</p>
        <div>
          <Button
            type="submit"
            variant={offer ? 'secondary' : 'primary'}
            disabled={!signer}
            busy={work?.phase === 'looking'}
          >
            {t('form.preview')}
          </Button>
        </div>
      </form>
      {failure ? (
        <FailureBanner
          failure={failure}
          onResume={() => {
            const underway = loadUnderway();
            if (underway) void resume(underway);
          }}
          onOtherWallet={disconnect}
        />
      ) : null}
      {offer && !isPaying(work) ? (
        <section className="card stack" aria-label={t('form.offer')}>
          <h2>{t('form.count', { count: offer.count })}</h2>
          <p>{t('form.price', { price: usdc(offer.quote.priceRaw) })}</p>
          <div>
            <Button variant="primary" onClick={pay}>
              {t('form.make', { price: usdc(offer.quote.priceRaw) })}
            </Button>
          </div>
        </section>
      ) : null}
      {work && isPaying(work) ? (
        <section className="card stack" aria-label={t('form.progress')}>
          <Steps label={t('form.progressOf')} steps={stepsOf(t, work)} />
          {work.note ? <Banner kind="warning">{errorWords(work.note)}</Banner> : null}
        </section>
      ) : null}
    </div>
  );
}

function isPaying(work: Work | null): boolean {
  return work !== null && work.phase !== 'looking';
}

async function askFor(request: Request): Promise<Offer> {
  try {
    await apiClient.statements.create.mutate(request, { context: withHeaders({}) });
  } catch (error) {
    const seen = failureOf(error);
    const quote = seen.code === 'payment_required' ? readQuote(seen.details) : null;
    const count = seen.details['tx_count'];
    if (quote && typeof count === 'number') return { request, quote, count };
    throw new OrderFailed(refused(seen));
  }
  throw new Error('a statement was made without a payment');
}

const PHASES = ['approving', 'sending', 'confirming'] as const;

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
