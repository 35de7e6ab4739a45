import type { Payment } from '@/generated/prisma/client';
import { z } from 'zod';
import { databaseNow } from '@/server/db/database-clock';
import { boughtByQuote } from '@/server/payments/find-payment';
import { frozenOf, keyOfRequest, type RequestKey } from '@/server/payments/quotes';
import { hasOpenQuote, tooManyQuotes } from '@/server/payments/open-quote';
import { readPaymentHeader, type PresentedPayment } from '@/server/payments/read-payment-header';
import { releaseClaim, usePayment } from '@/server/payments/claim-payment';
import { awaitMint } from '@/server/receipts/find-receipt';
import {
  releaseReservation,
  type ReservedTransaction,
} from '@/server/receipts/reserve-transaction';
import { buildRows } from '@/server/statements/build-rows';
import { findStatement } from '@/server/statements/find-statement';
import { thawList, type StatementList } from '@/server/statements/frozen-list';
import { prepareStatement, writeStatement } from '@/server/statements/write-statement';
import { clientKey } from '../charge-limits';
import { proofText, readWalletProof } from '../prove-wallet';
import type { Taken } from '../payments/purchase';
import { inProgress, type PaidWith, settlementOf } from '../payments/refuse-payment';
import { boughtBefore, takePayment } from '../payments/take-payment';
import { presentPending, presentStatement } from './present-statement';
import type { StatementInput, StatementOutcome } from './schemas';
import { purchaseStatement, selectList } from './purchase-statement';
import { retryFailedMint } from '../receipts/mint-status';
import type { Call, Order, ProvenWallet } from '../call';

/** How long the answer waits for the NFT where the caller does not say (decision). */
const WAIT_S = 60;
/** Thousands of rows take longer than the library's 5 s allow on a busy database; the claim lasts 30 s. */
const WRITE_MS = 15_000;
const storedAnswer = z.object({ statement_id: z.string() });

/**
 * Makes a statement of the payments of a wallet. The order of the steps:
 * 1. a payment that bought this before (its statement)
 * 2. proof of wallet if there is one (401)
 * 3. the payment with its quote (402, 401, 403, 503)
 * 4. only for a new offer, the transactions themselves (400, 503)
 * 5. reserve, settle and write
 *
 * A paid statement lists what its quote listed, without reading again.
 */
export async function createStatement(
  call: Call<Order<StatementInput>>,
): Promise<StatementOutcome> {
  const { body: input, payment } = call.input;
  const presented = readPaymentHeader(payment);
  const key = keyOfRequest({ method: 'POST', path: '/statement', body: input });
  const before = await boughtBefore(call, key, presented);
  if (before) return answerPaid(call, before);
  if (!presented) await refuseFlood(call, key);
  let selected: Promise<StatementList> | undefined;
  const select = () => (selected ??= selectList(call, input));
  const purchase = purchaseStatement(call, {
    input,
    key,
    select,
    ...proofOfPayer(call, presented),
  });
  const taken = await takePayment(call, purchase, presented);
  if (taken.state === 'answered') return answerPaid(call, taken.payment);
  if (taken.state === 'done') {
    const twin = await boughtBefore(call, key, presented);
    if (twin) return answerPaid(call, twin);
    const id = taken.quoteId && (await boughtByQuote(call.service.db, taken.quoteId));
    if (!id) throw inProgress();
    return answer(call, id, null);
  }
  const id = await writePaid(call, { wallet: input.wallet_address, select, taken });
  const { claim, signature, payer } = taken;
  return answer(call, id, { dialect: claim.payment.dialect, signature, payer });
}

/** A wallet proves itself over the signature of the payment that it made. */
function proofOfPayer(
  call: Call,
  presented: PresentedPayment | null,
): { caller: ProvenWallet | null; proofText: string } {
  const { serviceName } = call.service.env;
  if (presented?.dialect !== 'documented')
    return { caller: null, proofText: proofText(serviceName, '{payment signature}') };
  const text = proofText(serviceName, presented.signature);
  return { caller: readWalletProof(call.actor, text), proofText: text };
}

/**
 * A client with the maximum number of open offers gets no scan either, unless it asks for one of
 * them again. It may still be the same offer.
 */
async function refuseFlood(call: Call, key: RequestKey): Promise<void> {
  const { db, env } = call.service;
  const client = { clientHash: clientKey(call), now: await databaseNow(db) };
  const { path } = key;
  const mostOpenQuotes = env.statementQuotesPerClient;
  const refusal = await tooManyQuotes(db, { ...client, path, mostOpenQuotes });
  if (refusal && !(await hasOpenQuote(db, { ...client, key }))) throw refusal;
}

/**
 * Writes a statement whose payment is claimed: statement, rows, mint and payment in one database
 * transaction. When that fails, the payment stays its payer's.
 */
async function writePaid(
  call: Call,
  o: {
    wallet: string;
    /** The current list, for a payment that is for no quote. */
    select: () => Promise<StatementList>;
    taken: Extract<Taken<ReservedTransaction>, { state: 'paid' }>;
  },
): Promise<string> {
  const { service } = call;
  const { wallet } = o;
  const { claim, reserved, signature, quote } = o.taken;
  let isWritten = false;
  try {
    const list = quote ? thawList(await frozenOf(service.db, quote.id)) : await o.select();
    const rows = await buildRows(service, { wallet, list });
    const prepared = await prepareStatement(service, { wallet, list, rows });
    const { statementId } = prepared.facts;
    await service.db.$transaction(
      async (tx) => {
        await writeStatement(tx, { prepared, paymentSignature: signature });
        // Payment before reservation, the order of every claim: see writePaidReceipt.
        const isOurs =
          (await usePayment(tx, claim, {
            subjectId: statementId,
            answer: { statement_id: statementId },
            now: service.clock.now(),
          })) && (await releaseReservation(tx, reserved));
        // Thrown to roll back: the lease ran out, and another request took over.
        if (!isOurs) throw inProgress();
      },
      { timeout: WRITE_MS },
    );
    isWritten = true;
    // Not awaited: the sweep makes up for an event that is lost.
    void service.jobs.startMint({ id: statementId, paid: true }, 0);
    return statementId;
  } finally {
    if (!isWritten) {
      const reason = 'not_written';
      await releaseClaim(service.db, claim, { reason, now: service.clock.now() }).catch(() => null);
      await releaseReservation(service.db, reserved).catch(() => false);
    }
  }
}

function answerPaid(
  call: Call<Order<StatementInput>>,
  payment: Payment,
): Promise<StatementOutcome> {
  return answer(call, storedAnswer.parse(payment.answer).statement_id, payment);
}

/** The statement as its rows have it, once its NFT is minted; 202 when that takes longer than the wait. */
async function answer(
  call: Call<Order<StatementInput>>,
  statementId: string,
  payment: PaidWith | null,
): Promise<StatementOutcome> {
  const { db } = call.service;
  const settlement = settlementOf(call, payment);
  const found = await findStatement(db, statementId);
  await retryFailedMint(call, found.mint);
  const mint = await awaitMint(db, {
    id: statementId,
    waitS: call.input.waitS ?? WAIT_S,
    until: (row) => row.status !== 'pending',
  });
  const now = { ...found, mint: mint ?? found.mint };
  return now.mint.status === 'completed'
    ? { outcome: 'stated', body: await presentStatement(call.service, now), settlement }
    : { outcome: 'pending', body: presentPending(now), settlement };
}
