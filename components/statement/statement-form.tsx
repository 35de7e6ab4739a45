'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import {
  useEffect,
  useEffectEvent,
  useId,
  useState,
  useSyncExternalStore,
  type FormEvent,
} from 'react';
import { apiClient, failureOf, withHeaders } from '../api-client';
import { FailureBanner } from '../create/failure-banner';
import { refused } from '../create/failures';
import { OrderFailed, requireNetwork, type Failure } from '../create/order-failed';
import { payQuote, readQuote } from '../create/pay-quote';
import { useSite } from '../site-context';
import { amountOf } from '../ui/amount';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { useFocusRefused } from '../ui/use-focus-refused';
import { ConnectWallet } from '../wallet/connect-wallet';
import { useSigner } from '../wallet/wallet-host';
import {
  buyStatement,
  clearFailure,
  NO_PURCHASE,
  resumeStatement,
  shownPurchase,
  watchPurchase,
} from './purchase-state';
import { StatementOffer, StatementProgress, type Offer, type Work } from './statement-offer';
import {
  daysOf,
  isSameRequest,
  MOST_DAYS,
  requestOf,
  type StatementRequest,
} from './statement-period';
import styles from './statement.module.css';
import { forgetUnderway, loadUnderway } from './underway-store';

/** Choose wallet and period, see count and price, pay, and open the statement. */
export function StatementForm({ today }: { today: string }) {
  const t = useTranslations('statement');
  const locale = useLocale();
  const why = useId();
  const site = useSite();
  const router = useRouter();
  const { signer, disconnect } = useSigner();
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [until, setUntil] = useState(today);
  const [anyOffer, setOffer] = useState<Offer | null>(null);
  const purchase = useSyncExternalStore(watchPurchase, shownPurchase, () => NO_PURCHASE);
  const { work, bought } = purchase;
  const [isLooking, setLooking] = useState(false);
  const [unfound, setUnfound] = useState<Failure | null>(null);
  const failure = purchase.failure ?? unfound;
  const [checks, setChecks] = useState(0);
  const form = useFocusRefused<HTMLFormElement>(checks);
  const announce = useAnnounce();
  const usdc = (raw: string) => amountOf(raw, 6, locale);
  const wanted = signer ? requestOf({ wallet: signer.address, from, until }) : null;
  // An offer is for one wallet and one period. It ends with a change of the account or of a day.
  const offer = anyOffer && wanted && isSameRequest(anyOffer.request, wanted) ? anyOffer : null;
  const days = daysOf({ from, until });
  const isTooLong = days > MOST_DAYS;

  const onPhase = (phase: Work['phase']) => announce(t(`form.step.${phase}`));
  const resume = () => {
    setUnfound(null);
    void resumeStatement(onPhase);
  };
  const open = useEffectEvent(({ id, quoteIds }: NonNullable<typeof bought>) => {
    forgetUnderway(quoteIds);
    announce(t('form.ready'));
    router.push(`/s/${id}`);
  });
  // A statement that was bought while the reader was on another page opens when they are back here.
  useEffect(() => {
    if (bought !== null) open(bought);
  }, [bought]);

  useEffect(() => {
    const timer = setTimeout(() => {
      if (loadUnderway()) resume();
    });
    return () => clearTimeout(timer);
    // Once, when the page is opened: what was under way when it was closed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const look = async (event: FormEvent) => {
    event.preventDefault();
    if (!wanted || work || isLooking) return;
    setChecks((round) => round + 1);
    if (isTooLong) return;
    setOffer(null);
    setUnfound(null);
    clearFailure();
    setLooking(true);
    try {
      const found = await offerFor(wanted);
      setOffer(found);
      announce(t('form.found', { count: found.count, price: usdc(found.quote.priceRaw) }));
    } catch (error) {
      setUnfound(error instanceof OrderFailed ? error.failure : refused(failureOf(error)));
    }
    setLooking(false);
  };
  const pay = () => {
    if (!signer || !offer || work) return;
    setUnfound(null);
    void buyStatement({
      request: offer.request,
      onPhase,
      pay: async ({ say, keep }) => {
        requireNetwork(signer, site.network);
        say('preparing');
        const { id } = await payQuote({
          signer,
          quoteId: offer.quote.id,
          request: offer.request,
          headers: {},
          nothingSent: failure?.code === 'rejected_payment',
          onPhase: say,
          onUnderway: keep,
        });
        return id;
      },
    });
  };
  return (
    <div className="stack">
      <form
        ref={form}
        method="dialog"
        className="card stack"
        onSubmit={(event) => void look(event)}
      >
        <ConnectWallet label={t('form.connect')} />
        <div className={styles['period']}>
          <Field
            label={t('form.first')}
            type="date"
            value={from}
            max={until}
            required
            disabled={work !== null}
            onValue={setFrom}
          />
          <Field
            label={t('form.last')}
            type="date"
            value={until}
            min={from}
            required
            disabled={work !== null}
            error={isTooLong ? t('form.tooLong', { days }) : null}
            onValue={setUntil}
          />
        </div>
        <p className="muted small">{t('form.help')}</p>
        <div className="row">
          <Button
            type="submit"
            variant={offer ? 'secondary' : 'primary'}
            disabled={!signer}
            busy={isLooking}
            aria-describedby={signer ? undefined : why}
          >
            {t('form.preview')}
          </Button>
          {signer ? null : (
            <p id={why} className="muted small">
              {t('form.connectFirst')}
            </p>
          )}
        </div>
      </form>
      {failure ? (
        <FailureBanner failure={failure} onResume={resume} onOtherWallet={disconnect} />
      ) : null}
      {offer && !work ? <StatementOffer offer={offer} onPay={pay} /> : null}
      {work ? <StatementProgress work={work} request={purchase.request} /> : null}
    </div>
  );
}

async function offerFor(request: StatementRequest): Promise<Offer> {
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
