'use client';

import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useSite } from '../site-context';
import type { Signer } from '../wallet/signer';
import { requireNetwork } from './order-failed';
import {
  clearOrder,
  isElsewhere,
  performOrder,
  resumeKept,
  shownOrder,
  watchOrder,
} from './order-state';
import type { Order } from './order-store';
import type { Report } from './run-order';

/**
 * The code that signs, pays and requests. It loads for a chosen payment or a saved order, because
 * the first view does not need it.
 */
export const loadSteps = () => import('./run-order');

/**
 * The receipt that this page is requesting. An order from before the page was closed resumes. `tx` is
 * the payment that the page shows.
 */
export function useOrder(tx: string | null) {
  const site = useSite();
  const state = useSyncExternalStore(watchOrder, shownOrder, () => null);

  const resumeFirst = useEffectEvent(() => void resumeKept(tx, goOn));
  useEffect(() => resumeFirst(), []);

  const start = (o: { signer: Signer; request: Order['request']; shownPriceRaw: string }) => {
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
    return performOrder(order, { isResumed: false }, async (report) => {
      requireNetwork(signer, site.network);
      // Shown when the code of the steps may still be loading.
      report(order, 'proving');
      const { runOrder } = await loadSteps();
      return runOrder({ site, signer, order, shownPriceRaw, nothingSent, report });
    });
  };

  const resume = () => {
    if (isElsewhere()) void resumeKept(tx, goOn);
    else if (state)
      void performOrder(state.order, { isResumed: true }, (report) => goOn(state.order, report));
  };

  return { state, start, resume, clear: clearOrder };
}

async function goOn(order: Order, report: Report): Promise<Order> {
  report(order, 'confirming');
  const { resumeOrder } = await loadSteps();
  return resumeOrder(order, report);
}
