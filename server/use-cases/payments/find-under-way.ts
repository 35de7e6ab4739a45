import { ServiceError } from '@/server/errors';
import { type PreparedQuote, waitsOf } from '@/server/payments/awaited-payments';
import { sentForSame } from '@/server/payments/prepared-quotes';
import { SLACK_MS } from '@/server/payments/quotes';
import { followQuote } from './follow-quote';
import { lookOnNodes, namedOnNodes, paidAccount } from './look-on-nodes';
import type { Call } from '../call';

/** The wallet that will pay, and whether it said that it did not send an earlier prepared payment. */
type Asking = { wallet: string; nothing_sent: boolean };

/**
 * Id of a quote for the same receipt whose payment exists, or may still come from this wallet. Null
 * if a page may ask the wallet to pay. A payment that the wallet signed and sent through the
 * service makes that wallet wait, and so does a preparation with its proof. Anybody can make other
 * preparations, and the other party can sign payments that never land. So those count only once a
 * payment is on chain.
 */
export async function findUnderWay(
  call: Call,
  quote: PreparedQuote,
  o: Asking,
): Promise<string | null> {
  const all = [quote, ...(await sentForSame(call.service.db, quote))];
  const mayStillCome = (one: PreparedQuote) => {
    const waits = waitsOf(one, o.wallet);
    // A wallet that sends its transactions itself and received a refusal has sent nothing. Payments
    // that we sent are on record.
    const isDenied = one.id === quote.id && o.nothing_sent;
    return waits.some(({ signature }) => signature !== null || !isDenied);
  };
  for (const one of all.filter(mayStillCome)) {
    const { state } = await followQuote(call, one, { wallet: o.wallet });
    if (state !== 'nothing_paid') return one.id;
  }
  return findPaid(
    call,
    all.filter((one) => !mayStillCome(one)),
    o.wallet,
  );
}

/**
 * Id of a quote whose payment is on chain, or may be. One scan of the histories for all, however many there are.
 * Two nodes must say that nothing was paid; throws 503 otherwise. The same holds for a quote that no page prepared: the
 * 402 named its memo, so any client may have paid it.
 */
async function findPaid(
  call: Call,
  quotes: readonly PreparedQuote[],
  wallet: string,
): Promise<string | null> {
  const oldest = Math.min(...quotes.map(({ createdAt }) => createdAt.getTime()));
  for (const payTo of new Set(quotes.map((quote) => quote.payTo))) {
    const account = await paidAccount(call, { payTo });
    const since = new Date(oldest - SLACK_MS);
    const { named, isProven } = await namedOnNodes(call.service.rpc, { account, since });
    const ofAccount = quotes.filter((quote) => quote.payTo === payTo);
    for (const quote of ofAccount) {
      if (!named.has(quote.id)) continue;
      // A history that was not read to its end may hold the payment: somebody may have put other transactions before it.
      if ((await lookOnNodes(call, quote, { wallet })).state !== 'absent') return quote.id;
    }
    if (!isProven) throw undecided();
  }
  return null;
}

function undecided(): ServiceError {
  return new ServiceError(
    'payment_undecided',
    'A payment for this may have been sent before, and too few Solana nodes answer to show whether it landed. Do not pay now. This request charged you nothing. Try again in a few seconds.',
    { retryAfterS: 5 },
  );
}
