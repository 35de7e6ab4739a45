import type { Payment } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import {
  frozenOf,
  keyOfRequest,
  newestQuote,
  type QuoteTerms,
  type RequestKey,
} from '@/server/payments/quotes';
import { priceReceipt } from '@/server/payments/prices';
import { readPaymentHeader, type PresentedPayment } from '@/server/payments/read-payment-header';
import {
  awaitMint,
  findReceiptOfTransaction,
  type ReceiptWithMint,
} from '@/server/receipts/find-receipt';
import type { ReportedBy } from '@/server/receipts/write-receipt';
import { readValuedTransfer } from '@/server/receipts/value-transfer';
import { chargeWallet } from '../charge-limits';
import {
  proofText,
  readWalletProof,
  roleInTransfer,
  roleOf,
  walletProofNeeded,
} from '../prove-wallet';
import { noteLatePayment } from '../payments/note-late-payment';
import { settlementOf, type PaidWith } from '../payments/refuse-payment';
import { boughtBefore, takePayment } from '../payments/take-payment';
import { mintStatusOf } from './present-receipt';
import type { RequestContext } from '@/server/api/request-context';
import { mintCreatedBody, type MintCreatedBody, type MintInput, type MintOutcome } from './schemas';
import { locatePayer, noteCountryLate } from './payer-country';
import { frozenValue, purchaseReceipt } from './purchase-receipt';
import { retryFailedMint } from './mint-status';
import { writeFreeReceipt, writePaidReceipt } from './write-requested-receipt';

/**
 * Makes the receipt of a transaction, or names the one that exists. The order of the checks is the
 * order of refusals that callers rely on: a payment that bought this before (its answer), proof (401),
 * transaction (400, 503), participant (403), existing receipt (409), proof for a free receipt (401), price
 * and payment (402, 401, 403, 503); then reserve, settle and write.
 */
export async function createReceipt(ctx: RequestContext, input: MintInput): Promise<MintOutcome> {
  const { service } = ctx;
  const presented = readPaymentHeader(ctx.payment);
  const key = keyOfRequest({ method: 'POST', path: '/mint', body: input });
  const before = await boughtBefore(ctx, key, presented);
  if (before) return paidFor(ctx, before);

  const txSignature = input.tx_signature;
  const text = proofText(service.env.serviceName, txSignature);
  const caller = readWalletProof(ctx.proof, text);
  if (caller) await chargeWallet(ctx, caller);
  const existing = await findReceiptOfTransaction(service.db, txSignature);
  if (existing) {
    // Receipt and payment are written together, so a twin of this request may have bought it just now.
    const meanwhile = await boughtBefore(ctx, key, presented);
    if (meanwhile) return paidFor(ctx, meanwhile);
    const role = roleOf(caller, existing.receipt);
    await noteLatePayment(ctx, { key, presented, excludes: [txSignature] });
    await noteCountryLate(ctx, { caller, existing });
    return alreadyExists(
      role === null ? existing : { ...existing, mint: await retryFailedMint(ctx, existing.mint) },
    );
  }
  const valued = await readValuedTransfer(service, { signature: txSignature });
  const role = roleInTransfer(caller, valued.transfer);
  const price = priceReceipt(valued.usdMicros);
  const offered = price === 0n ? await offerPaid(ctx, { key, presented, role }) : null;
  if (price === 0n && !offered) {
    if (role === null) throw walletProofNeeded(text);
    const location = role === 'payer' ? await locatePayer(ctx) : null;
    const written = await writeFreeReceipt(ctx, { input, valued, reportedBy: role, location });
    if (!('exists' in written)) return created(ctx, written.body, null);
    await noteCountryLate(ctx, { caller, existing: written.exists });
    return alreadyExists(written.exists);
  }
  const atQuote = async (quote: QuoteTerms | null) =>
    quote ? { ...valued, ...frozenValue.parse(await frozenOf(service.db, quote.id)) } : valued;
  const purchase = purchaseReceipt(ctx, {
    ...{ key, caller, proofText: text },
    valued: await atQuote(offered),
    priceMicros: offered?.priceMicros ?? price,
  });
  const taken = await takePayment(ctx, purchase, presented);
  if (taken.state === 'answered') return paidFor(ctx, taken.payment);
  if (taken.state === 'done') {
    const twin = await boughtBefore(ctx, key, presented);
    return twin ? paidFor(ctx, twin) : foundMeanwhile(ctx, txSignature);
  }
  // Without a proof of wallet, the labels are the word of the wallet that paid for them.
  const reportedBy = role ?? roleInTransfer(taken.payer, valued.transfer) ?? 'payer';
  const priced = await atQuote(taken.quote);
  const isPayerCalling =
    role === 'payer' || (taken.isSignedByPayer && taken.payer === valued.transfer.payer);
  const location = isPayerCalling ? await locatePayer(ctx) : null;
  const written = await writePaidReceipt(ctx, {
    ...{ input, valued: priced, reportedBy, taken, location },
  });
  return created(ctx, written.body, written.payment);
}

/**
 * The offer that a payment came for, where a fee was due when it was made and none is now, as the price
 * of the token has moved: it buys what it was offered. Null where the request is free, also for a wallet
 * that proved itself and has moved no money yet.
 */
async function offerPaid(
  ctx: RequestContext,
  o: { key: RequestKey; presented: PresentedPayment | null; role: ReportedBy | null },
): Promise<QuoteTerms | null> {
  if (!o.presented || (o.role !== null && o.presented.dialect !== 'documented')) return null;
  return newestQuote(ctx.service.db, o.key);
}

async function foundMeanwhile(ctx: RequestContext, txSignature: string): Promise<MintOutcome> {
  const found = await findReceiptOfTransaction(ctx.service.db, txSignature);
  if (found) return alreadyExists(found);
  throw new ServiceError('in_progress', 'The receipt is being written. Send the request again.', {
    retryAfterS: 2,
  });
}

/** The stored answer: the same for ever, from every process. */
function paidFor(ctx: RequestContext, payment: Payment): Promise<MintOutcome> {
  return created(ctx, mintCreatedBody.parse(payment.answer), payment);
}

/** The answer as it was written; a caller that waits learns in addition what became of the mint. */
async function created(
  ctx: RequestContext,
  body: MintCreatedBody,
  payment: PaidWith | null,
): Promise<MintOutcome> {
  const settlement = settlementOf(ctx, payment);
  const waitS = ctx.waitS ?? 0;
  const mint =
    waitS > 0
      ? await awaitMint(ctx.service.db, {
          id: body.receipt_id,
          waitS,
          until: (row) => row.status !== 'pending',
        })
      : null;
  if (!mint) return { outcome: 'created', body, settlement };
  const status = mintStatusOf(mint);
  const minted = mint.mintSignature === null ? {} : { mint_signature: mint.mintSignature };
  return {
    outcome: 'created',
    body: {
      ...body,
      ...minted,
      mint_status: status,
      message: status === 'pending' ? body.message : MESSAGE[status],
    },
    settlement,
  };
}

const MESSAGE = {
  completed: 'The receipt is written and proven on chain.',
  failed: 'The receipt is written, but its proof on chain failed: see /mint/status/{receipt_id}.',
} as const;

function alreadyExists({ receipt, mint }: ReceiptWithMint): MintOutcome {
  return {
    outcome: 'exists',
    body: {
      success: true,
      receipt_id: receipt.id,
      mint_status: mintStatusOf(mint),
      message: `A receipt already exists for this transaction: ${receipt.id}.`,
    },
  };
}
