'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { useSite } from '../site-context';
import type { Signer } from '../wallet/signer';
import { OrderFailed, unforeseen, type Failure } from './failures';
import { forgetOrder, loadOrder, type Order } from './order-store';
import type { OrderNote } from './pay-quote';
import type { Phase } from './run-order';

/** What signs, pays and asks is loaded once a payment is chosen, because the first view of the page needs none of it. */
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

/**
 * The receipt that this page is asking for. One that was begun before the page was closed is taken up
 * again by itself.
 */
export function useOrder() {
  const site = useSite();
  const [state, setState] = useState<OrderState | null>(null);
  /** Only the newest run may speak: an older one may still be waiting for a wallet. */
  const run = useRef(0);

  const perform = useCallback(
    async (
      first: Order,
      isResumed: boolean,
      work: (report: (order: Order, phase: Phase, note?: OrderNote) => void) => Promise<Order>,
    ) => {
      run.current += 1;
      const mine = run.current;
      const say = (change: (before: OrderState | null) => OrderState) => {
        if (run.current === mine) setState(change);
      };
      let last = first;
      try {
        await work((order, phase, note) => {
          last = order;
          say((before) => ({
            order,
            phase,
            isResumed,
            note: note ?? null,
            failure: null,
            since: before?.phase === phase ? before.since : new Date().toISOString(),
          }));
        });
      } catch (error) {
        const failure = error instanceof OrderFailed ? error.failure : unforeseen(error);
        // What the failure is about must not come back by itself with the next visit.
        if (failure.way !== 'resume') forgetOrder();
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

  useEffect(() => {
    const kept = loadOrder();
    if (!kept?.quote) return;
    void perform(kept, true, async (report) => (await loadSteps()).resumeOrder(kept, report));
  }, [perform]);

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
        const { runOrder } = await loadSteps();
        return runOrder({ site, signer, order, shownPriceRaw, nothingSent, report });
      });
    },
    [perform, site, state],
  );

  const resume = useCallback(() => {
    if (!state) return;
    const { order } = state;
    void perform(order, true, async (report) => (await loadSteps()).resumeOrder(order, report));
  }, [perform, state]);

  const clear = useCallback(() => {
    run.current += 1;
    forgetOrder();
    setState(null);
  }, []);

  return { state, start, resume, clear };
}
