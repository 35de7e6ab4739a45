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
import { readValuedTransfer, type ValuedTransfer } from '@/server/receipts/value-transfer';
import { chargeWallet } from '../charge-limits';
import {
  proofText,
  provesPayer,
  readWalletProof,
  roleInTransfer,
  roleOf,
  walletProofNeeded,
} from '../prove-wallet';
import { noteLatePayment } from '../payments/note-late-payment';
import { settlementOf, type PaidWith } from '../payments/refuse-payment';
import { boughtBefore, takePayment } from '../payments/take-payment';
import { mintCreatedBody, type MintCreatedBody, type MintInput, type MintOutcome } from './schemas';
import { locatePayer, noteCountryLate } from './payer-country';
import { frozenValue, purchaseReceipt } from './purchase-receipt';
import { retryFailedMint } from './mint-status';
import { writeFreeReceipt, writePaidReceipt } from './write-requested-receipt';
import type { Call, Order, ProvenWallet } from '../call';

/**
 * Makes the receipt of a transaction, or names the one that exists. Callers rely on the order of
 * refusals, which is the order of the steps:
 * 1. a payment that bought this before (its answer)
 * 2. proof of wallet (401)
 * 3. existing receipt (409)
 * 4. transaction (400, 503)
 * 5. participant (403)
 * 6. proof for a free receipt (401)
 * 7. price and payment (402, 401, 403, 503)
 * 8. reserve, settle and write
 */
export async function createReceipt(call: Call<Order<MintInput>>): Promise<MintOutcome> {
  const wish = readWish(call);
  const before = await boughtBefore(call, wish.key, wish.presented);
  if (before) return paidFor(call, before);
  const caller = await proveCaller(call, wish);
  const existing = await findReceiptOfTransaction(call.service.db, wish.txSignature);
  if (existing) return answerExisting(call, { wish, caller, existing });
  const priced = await priceTransfer(call, { wish, caller });
  const order = { wish, caller, priced };
  return priced.isFree ? giveFree(call, order) : sell(call, order);
}

/** The requested receipt, and the payment for it. */
type Wish = {
  body: MintInput;
  txSignature: string;
  key: RequestKey;
  presented: PresentedPayment | null;
  /** Text that a wallet signs for this transaction. */
  text: string;
};

function readWish({ service, input }: Call<Order<MintInput>>): Wish {
  const { body, payment } = input;
  return {
    body,
    txSignature: body.tx_signature,
    key: keyOfRequest({ method: 'POST', path: '/mint', body }),
    presented: readPaymentHeader(payment),
    text: proofText(service.env.serviceName, body.tx_signature),
  };
}

async function proveCaller(call: Call, { text }: Wish): Promise<ProvenWallet | null> {
  const caller = readWalletProof(call.actor, text);
  if (caller) await chargeWallet(call, caller);
  return caller;
}

/**
 * The existing receipt. A payment in this request bought nothing, and a participant has a failed
 * mint retried.
 */
async function answerExisting(
  call: Call<Order<MintInput>>,
  o: { wish: Wish; caller: ProvenWallet | null; existing: ReceiptWithMint },
): Promise<MintOutcome> {
  const { wish, caller, existing } = o;
  const { key, presented, txSignature } = wish;
  // Receipt and payment are written together, so a duplicate of this request may have bought it just now.
  const meanwhile = await boughtBefore(call, key, presented);
  if (meanwhile) return paidFor(call, meanwhile);
  const role = roleOf(caller, existing.receipt);
  await noteLatePayment(call, { key, presented, excludes: [txSignature] });
  await noteCountryLate(call, { caller, existing });
  return alreadyExists(
    role === null ? existing : { ...existing, mint: await retryFailedMint(call, existing.mint) },
  );
}

type Priced = {
  valued: ValuedTransfer;
  role: ReportedBy | null;
  priceMicros: bigint;
  /** The offer that a payment came for, where none would be made now. */
  offered: QuoteTerms | null;
  isFree: boolean;
};

async function priceTransfer(
  call: Call,
  { wish, caller }: { wish: Wish; caller: ProvenWallet | null },
): Promise<Priced> {
  const valued = await readValuedTransfer(call.service, { signature: wish.txSignature });
  const role = roleInTransfer(caller, valued.transfer);
  const priceMicros = priceReceipt(valued.usdMicros);
  const offered = priceMicros === 0n ? await offerPaid(call, { ...wish, role }) : null;
  return { valued, role, priceMicros, offered, isFree: priceMicros === 0n && !offered };
}

async function giveFree(
  call: Call<Order<MintInput>>,
  { wish, caller, priced }: { wish: Wish; caller: ProvenWallet | null; priced: Priced },
): Promise<MintOutcome> {
  const { valued, role } = priced;
  if (role === null) throw walletProofNeeded(wish.text);
  const isPayerCalling = provesPayer({ role, payer: valued.transfer.payer, taken: null });
  const written = await writeFreeReceipt(call, {
    input: wish.body,
    valued,
    reportedBy: role,
    isPayerCalling,
    location: isPayerCalling ? await locatePayer(call) : null,
  });
  if (!('exists' in written)) return created(call, written.body, null);
  await noteCountryLate(call, { caller, existing: written.exists });
  return alreadyExists(written.exists);
}

async function sell(
  call: Call<Order<MintInput>>,
  { wish, caller, priced }: { wish: Wish; caller: ProvenWallet | null; priced: Priced },
): Promise<MintOutcome> {
  const { key, presented, txSignature } = wish;
  const { valued, role, offered } = priced;
  const atQuote = async (quote: QuoteTerms | null): Promise<ValuedTransfer> =>
    quote ? { ...valued, ...frozenValue.parse(await frozenOf(call.service.db, quote.id)) } : valued;
  const purchase = purchaseReceipt(call, {
    key,
    caller,
    proofText: wish.text,
    valued: await atQuote(offered),
    priceMicros: offered?.priceMicros ?? priced.priceMicros,
  });
  const taken = await takePayment(call, purchase, presented);
  if (taken.state === 'answered') return paidFor(call, taken.payment);
  if (taken.state === 'done') {
    const twin = await boughtBefore(call, key, presented);
    return twin ? paidFor(call, twin) : foundMeanwhile(call, txSignature);
  }
  // Without a proof of wallet, the labels are the word of the wallet that paid for them.
  const reportedBy = role ?? roleInTransfer(taken.payer, valued.transfer) ?? 'payer';
  const isPayerCalling = provesPayer({ role, payer: valued.transfer.payer, taken });
  const written = await writePaidReceipt(call, {
    input: wish.body,
    valued: await atQuote(taken.quote),
    reportedBy,
    taken,
    isPayerCalling,
    location: isPayerCalling ? await locatePayer(call) : null,
  });
  return created(call, written.body, written.payment);
}

/**
 * The offer that a payment came for, if a fee was due when it was made and none is now because the
 * token's price moved. The payment buys what it was offered. Null where the request is free, also
 * for a wallet that proved itself and has moved no money yet.
 */
async function offerPaid(
  call: Call,
  o: { key: RequestKey; presented: PresentedPayment | null; role: ReportedBy | null },
): Promise<QuoteTerms | null> {
  if (!o.presented || (o.role !== null && o.presented.dialect !== 'documented')) return null;
  return newestQuote(call.service.db, o.key);
}

async function foundMeanwhile(call: Call, txSignature: string): Promise<MintOutcome> {
  const found = await findReceiptOfTransaction(call.service.db, txSignature);
  if (found) return alreadyExists(found);
  throw new ServiceError('in_progress', 'The receipt is being written. Send the request again.', {
    retryAfterS: 2,
  });
}

/** The stored answer: the same for ever, from every process. */
function paidFor(call: Call<Order<MintInput>>, payment: Payment): Promise<MintOutcome> {
  return created(call, mintCreatedBody.parse(payment.answer), payment);
}

/** The answer as it was written. A caller that waits also gets the outcome of the mint. */
async function created(
  call: Call<Order<MintInput>>,
  body: MintCreatedBody,
  payment: PaidWith | null,
): Promise<MintOutcome> {
  const settlement = settlementOf(call, payment);
  const waitS = call.input.waitS ?? 0;
  const mint =
    waitS > 0
      ? await awaitMint(call.service.db, {
          id: body.receipt_id,
          waitS,
          until: (row) => row.status !== 'pending',
        })
      : null;
  if (!mint) return { outcome: 'created', body, settlement };
  const status = mint.status;
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
  completed: 'The receipt is written, and its NFT is minted.',
  failed: 'The receipt is written, but its mint failed: see /mint/status/{receipt_id}.',
} as const;

function alreadyExists({ receipt, mint }: ReceiptWithMint): MintOutcome {
  return {
    outcome: 'exists',
    body: {
      success: true,
      receipt_id: receipt.id,
      mint_status: mint.status,
      message: `A receipt already exists for this transaction: ${receipt.id}.`,
    },
  };
}
