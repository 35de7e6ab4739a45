import { namedOnNodes, paidAccount } from '@/server/use-cases/payments/look-on-nodes';
import { resumeQuote } from '@/server/use-cases/payments/resume-purchase';
import type { Call, JobActor } from '@/server/use-cases/call';
import { serviceContext } from '@/server/use-cases/service';
import { databaseNow } from '@/server/db/database-clock';
import { ServiceError } from '@/server/errors';
import { randomIds } from '@/server/ids';
import { log } from '@/server/log';
import type { PreparedQuote } from '@/server/payments/awaited-payments';
import {
  listPaidWallets,
  listPrepared,
  noteLooked,
  paidInLedger,
} from '@/server/payments/prepared-quotes';
import { jobs } from '@/server/job-server/client';
import { tracedSteps } from './traced-steps';

/** Quotes read at once. */
const BATCH = 20;
/**
 * The most transactions with the memo of one quote that a sweep reads. Only a stranger's dust
 * reaches it.
 */
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

/**
 * One sweep: first the quotes that the history of the paid account names, then all that wait for a payment. Anybody
 * can prepare hundreds, so paid ones must not wait behind them. Safe to run at any time, by several
 * processes at once.
 */
export async function sweepOnce(): Promise<{ bought: number; open: number }> {
  const call = sweepCall();
  const { db } = call.service;
  const sweep = { ends: performance.now() + MOST_MS, sweepBegan: await databaseNow(db) };
  const first = await lookAtAll(call, { ...sweep, named: await namedOnChain(call) });
  const rest = await lookAtAll(call, sweep);
  const [bought, looked] = [first.bought + rest.bought, first.looked + rest.looked];
  if (bought > 0) log().warn({ event: 'quotes_swept', bought, looked });
  return { bought, open: looked };
}

/** Ids of quotes that transactions to the paid accounts name, by any node or by the ledger. */
async function namedOnChain(call: Call): Promise<ReadonlySet<string>> {
  const { db, rpc } = call.service;
  const all = new Set(await paidInLedger(db));
  for (const { payTo, since } of await listPaidWallets(db)) {
    try {
      const account = await paidAccount(call, { payTo });
      const { named, isProven } = await namedOnNodes(rpc, { account, since });
      for (const id of named) all.add(id);
      // The next sweep asks again.
      if (!isProven) log().warn({ event: 'paid_account_not_read', payTo });
    } catch (error) {
      // One wallet must not keep the payments to the others waiting.
      log().warn({ event: 'paid_account_not_read', payTo, err: error });
    }
  }
  return all;
}

/** Checks quotes batch after batch, for as long as a sweep may take. */
async function lookAtAll(
  call: Call,
  o: { ends: number; sweepBegan: Date; named?: ReadonlySet<string> },
): Promise<{ bought: number; looked: number }> {
  const { db } = call.service;
  let [bought, looked] = [0, 0];
  while (performance.now() < o.ends) {
    const quotes = await listPrepared(db, { ...o, limit: BATCH });
    if (quotes.length === 0) break;
    await noteLooked(db, quotes);
    bought += await carryOut(call, quotes);
    looked += quotes.length;
  }
  return { bought, looked };
}

/** Checks quotes one after the other, and returns the number of those that bought something. */
async function carryOut(call: Call, quotes: readonly PreparedQuote[]): Promise<number> {
  let bought = 0;
  for (const quote of quotes) {
    try {
      if ((await resumeQuote(call, quote, { mostReads: MOST_READS })).state === 'bought')
        bought += 1;
    } catch (error) {
      // The next sweep tries again; one quote must not keep the others waiting.
      const code = error instanceof ServiceError ? error.code : 'internal';
      log().warn({ event: 'quote_not_resumed', quoteId: quote.id, code, err: error });
    }
  }
  return bought;
}

/** The service itself, without a wallet and without a payment. */
function sweepCall(): Call<unknown, JobActor> {
  return {
    service: serviceContext(),
    actor: { kind: 'job', id: randomIds.requestId(), client: '' },
    input: null,
  };
}
