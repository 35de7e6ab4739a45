import type { Quote } from '@/generated/prisma/client';
import { resumeQuote } from '@/server/api/payment/resume-quote';
import type { RequestContext } from '@/server/api/request-context';
import { serviceContext } from '@/server/api/service-context';
import { ServiceError } from '@/server/errors';
import { randomIds } from '@/server/ids';
import { log } from '@/server/log';
import { closeFollowed, listPrepared } from '@/server/payments/prepared-quotes';
import { jobs } from './client';
import { tracedSteps } from './traced-steps';

/** Quotes that are read at once. */
const BATCH = 20;
/** Transactions with the memo of one quote that a sweep reads. Only a stranger's dust is so many. */
const MOST_READS = 2_000;
/** A sweep begins no further batch after this long: the next one begins with the next minute. */
const MOST_MS = 45_000;

/** Every minute, carries out what pages prepared and people paid for before they closed the page. */
export function sweepQuotes() {
  return jobs().createFunction(
    { id: 'sweep-quotes', triggers: [{ cron: '* * * * *' }], retries: 0 },
    async ({ step }) => tracedSteps(step, { job: 'sweep-quotes' })('sweep', () => sweepOnce()),
  );
}

/** One sweep. Safe to run at any time, by several processes at once. */
async function sweepOnce(): Promise<{ bought: number; open: number }> {
  const ctx = sweepContext();
  const { db } = ctx.service;
  const began = performance.now();
  let [bought, looked] = [0, 0];
  let last: Quote | undefined;
  // Batch after batch: those that stay undecided must not keep the others waiting.
  do {
    const quotes = await listPrepared(db, { after: last, limit: BATCH });
    bought += await carryOut(ctx, quotes);
    looked += quotes.length;
    last = quotes.length < BATCH ? undefined : quotes.at(-1);
  } while (last && performance.now() - began < MOST_MS);
  if (bought > 0) log().warn({ event: 'quotes_swept', bought, looked });
  return { bought, open: looked };
}

/** Looks at quotes one after the other, and gives the number of those that bought something. */
async function carryOut(ctx: RequestContext, quotes: readonly Quote[]): Promise<number> {
  const { db } = ctx.service;
  let bought = 0;
  for (const quote of quotes) {
    try {
      if ((await resumeQuote(ctx, quote, { mostReads: MOST_READS })).state === 'bought')
        bought += 1;
    } catch (error) {
      // The next sweep tries again; one quote must not keep the others waiting.
      const code = error instanceof ServiceError ? error.code : 'internal';
      // What is refused for good stays its payer's, on record in the ledger.
      if (error instanceof ServiceError && error.status < 500) await closeFollowed(db, quote.id);
      log().warn({ event: 'quote_not_resumed', quoteId: quote.id, code, err: error });
    }
  }
  return bought;
}

/** A request of nobody: without wallet, payment or address. */
function sweepContext(): RequestContext {
  return {
    service: serviceContext(),
    requestId: randomIds.requestId(),
    proof: { address: null, signature: null },
    authorization: null,
    payment: { paymentSignature: null, xPayment: null },
    client: '',
    waitS: null,
    walletTime: null,
    browser: null,
    limits: { state: null, rpcPoints: 0 },
  };
}
