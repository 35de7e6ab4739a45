'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { useSite } from '../site-context';
import type { Signer } from '../wallet/signer';
import { OrderFailed, requireNetwork, unforeseen, type Failure } from './failures';
import { forgetOrder, loadOrder, type Order } from './order-store';
import type { OrderNote, Phase, Report } from './run-order';

/** The code that signs, pays and asks is loaded for a chosen payment or a kept order. The first view needs none of it. */
export const loadSteps = () => import('./run-order');

export type OrderState = {
  order: Order;
  /** Null while it stands still: before it begins, or because it failed. */
  phase: Phase | null;
  /** When the phase began. */
  since: string;
  note: OrderNote | null;
  failure: Failure | null;
  isResumed: boolean;
};

/** The receipt that this page is asking for. An order from before the page was closed resumes. */
export function useOrder() {
  const site = useSite();
  const [state, setState] = useState<OrderState | null>(null);
  /** Only the newest run may speak: an older one may still be waiting for a wallet. */
  const run = useRef(0);

  const perform = useCallback(
    async (first: Order, isResumed: boolean, work: (report: Report) => Promise<Order>) => {
      run.current += 1;
      const mine = run.current;
      const say = (change: (before: OrderState | null) => OrderState) => {
        if (run.current === mine) setState(change);
      };
      let last = first;
      const report: Report = (order, phase, note) => {
        last = order;
        say((before) => ({
          order,
          phase,
          isResumed,
          note: note ?? null,
          failure: null,
          since: before?.phase === phase ? before.since : new Date().toISOString(),
        }));
      };
      try {
        await work(report);
      } catch (error) {
        const failure = error instanceof OrderFailed ? error.failure : unforeseen(error);
        // A failure that a step foresaw ends the order. Any other one tells the reader to reload, so the order stays.
        if (error instanceof OrderFailed && failure.way !== 'resume') forgetOrder();
        say(() => ({
          order: last,
          phase: null,
          isResumed,
          note: null,
          failure,
          since: new Date().toISOString(),
        }));
      }
    },
    [],
  );

  const goOn = useCallback(
    (order: Order) =>
      perform(order, true, async (report) => {
        report(order, 'confirming');
        const { resumeOrder } = await loadSteps();
        return resumeOrder(order, report);
      }),
    [perform],
  );

  useEffect(() => {
    const kept = loadOrder();
    if (kept?.quote) void goOn(kept);
  }, [goOn]);

  const start = useCallback(
    (o: { signer: Signer; request: Order['request']; shownPriceRaw: string }) => {
      const { signer, request, shownPriceRaw } = o;
      const before = state?.order;
      const isSame =
        before?.request.tx_signature === request.tx_signature && before.wallet === signer.address;
      const order: Order = {
        request,
        wallet: signer.address,
        wire: null,
        quote: null,
        receiptId: null,
        proof: isSame ? before.proof : null,
        since: new Date().toISOString(),
      };
      const nothingSent = isSame && state?.failure?.code === 'rejected_payment';
      return perform(order, false, async (report) => {
        requireNetwork(signer, site.network);
        // Shown while the code of the steps may still be loading.
        report(order, 'proving');
        const { runOrder } = await loadSteps();
        return runOrder({ site, signer, order, shownPriceRaw, nothingSent, report });
      });
    },
    [perform, site, state],
  );

  const resume = useCallback(() => {
    if (state) void goOn(state.order);
  }, [goOn, state]);

  const clear = useCallback(() => {
    run.current += 1;
    forgetOrder();
    setState(null);
  }, []);

  return { state, start, resume, clear };
}
