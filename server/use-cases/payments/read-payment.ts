import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { toDecimal, toJsonNumber, USDC_DECIMALS } from '@quittance/verify/money';
import type { LedgerRefund, Payment } from '@/generated/prisma/client';
import { NodesDiffer } from '@/server/chain/node-statuses';
import { databaseNow } from '@/server/db/database-clock';
import { ServiceError } from '@/server/errors';
import { nameOperator } from '@/server/operator-contact';
import { paidRoutesState } from '@/server/payments/check-accounts';
import { feePayer } from '@/server/payments/facilitator/settle-exact';
import { findPayment } from '@/server/payments/find-payment';
import { isHeldForRefund } from '@/server/payments/hold-payment';
import { UNUSED_AGE_MS } from '@/server/payments/judge-payment';
import { standingInLedger } from '@/server/payments/ledger/entries';
import { type Arrived, findArrived, settlePayers } from '@/server/payments/ledger/find-arrived';
import { noteTransaction } from '@/server/payments/ledger/note-transactions';
import {
  LARGEST_PRICE_MICROS,
  LEAST_PRICE_MICROS,
  paymentNetwork,
  PRICE_LIST,
} from '@/server/payments/prices';
import type { PaymentBody, PricingBody } from './schemas';
import type { Call } from '../call';

/** A payment as the service knows it: presented, or only arrived. */
export type KnownPayment = {
  row: Payment | null;
  /** The amounts that the transaction brought us, by token, USDC first. */
  arrived: readonly Arrived[];
};

/**
 * The state of a payment. It contains nothing that the chain and the receipts do not show to
 * everyone.
 */
export async function readPayment({
  service,
  input: { signature },
}: Call<{ signature: string }>): Promise<PaymentBody> {
  const known = await requirePayment(service, signature);
  const { row } = known;
  const settled = await settledOrNull(service, { ...known, signature });
  const arrived = settled ?? known.arrived;
  const [first] = arrived;
  const refunds = await service.db.ledgerRefund.findMany({
    where: { paymentSignature: signature },
    orderBy: [{ recordedAt: 'asc' }, { refundSignature: 'asc' }],
  });
  const seen = await lookAtState(service, { row, arrived, signature });
  const { state, message } = describeState(seen);
  // Only a purchase has a price. A payment that bought nothing is the payer's in full.
  const price = state === 'used' ? (row?.priceMicros ?? null) : null;
  const amountRaw = first?.credit.amountRaw ?? row?.amountMicros ?? null;
  const decimals = first?.decimals ?? USDC_DECIMALS;
  const blockTime = row?.blockTime ?? first?.blockTime ?? null;
  const slot = row?.slot ?? first?.slot ?? null;
  const mayBuy = state === 'unused' && !seen.isTooLittle;
  // The block of a payment that we settled came seconds after its row.
  const usableFrom = row?.blockTime ?? row?.createdAt ?? null;
  return {
    success: true,
    signature,
    state,
    message: nameOperator(message, service.env.operator),
    dialect: row?.dialect ?? 'none',
    payer: settled && (first ? soleOf(first.payers) : (row?.payer ?? null)),
    pay_to: row?.payTo ?? first?.wallet ?? '',
    token: first?.credit.token ?? 'USDC',
    amount: amountRaw === null ? null : toJsonNumber(amountRaw, decimals),
    amount_raw: amountRaw?.toString() ?? null,
    price: price === null ? null : toJsonNumber(price, USDC_DECIMALS),
    price_raw: price?.toString() ?? null,
    surplus_raw: price === null || amountRaw === null ? null : (amountRaw - price).toString(),
    left_raw: first?.leftRaw.toString() ?? null,
    arrived: arrived.map(describeArrived),
    refunds: refunds.map((one) => describeRefund(one, arrived)),
    questioned_by: seen.questionedBy,
    slot: slot === null ? null : Number(slot),
    block_time: blockTime?.toISOString() ?? null,
    bought: state === 'used' ? (row?.subjectId ?? null) : null,
    refund_signature: row?.refundSignature ?? wholeRefund(state, refunds),
    usable_until:
      mayBuy && usableFrom !== null
        ? new Date(usableFrom.getTime() + UNUSED_AGE_MS).toISOString()
        : null,
  };
}

/**
 * The amounts that arrived, with confirmed payers. Null while too few nodes answer. Throws
 * NodesDiffer.
 */
async function settledOrNull(
  service: Call['service'],
  o: KnownPayment & { signature: string },
): Promise<readonly Arrived[] | null> {
  try {
    return await settlePayers(service, o);
  } catch (error) {
    if (isNodeSilence(error) && !(error instanceof NodesDiffer)) return null;
    throw error;
  }
}

/**
 * Everything on record about the payment of a signature, presented or not. One that arrived since
 * the last scan is noted now. Throws 404 when nothing of it arrived.
 */
export async function requirePayment(
  service: Call['service'],
  signature: string,
): Promise<KnownPayment> {
  const row = await findPayment(service.db, { dialect: 'documented', signature });
  const arrived = await findArrived(service.db, { signature, row });
  if (row || arrived.length > 0) return { row, arrived };
  await noteTransaction(service, signature);
  const now = await findArrived(service.db, { signature, row });
  if (now.length > 0) return { row, arrived: now };
  throw new ServiceError(
    'payment_unknown',
    `No payment ${signature} was presented to this service, and no final transaction with this signature brought it USDC, SOL or another token of its table. Send a payment with the request that it pays for. A new payment is on record once it is final.`,
  );
}

async function lookAtState(
  { db }: Call['service'],
  { row, arrived, signature }: KnownPayment & { signature: string },
): Promise<Seen> {
  const [first] = arrived;
  const token = first?.credit.token ?? 'USDC';
  const mayBuy = token === 'USDC' && row?.state !== 'used';
  const payer = first?.payers[0] ?? row?.payer ?? null;
  const now = await databaseNow(db);
  const standing = await standingInLedger(db, {
    signature,
    payer: mayBuy ? payer : null,
    slot: row?.slot ?? first?.slot ?? null,
  });
  const isHeld = standing.isHeld || (row !== null && isHeldForRefund(row, now));
  const left = first?.leftRaw ?? 0n;
  return {
    row: row?.state ?? null,
    reason: row?.reason ?? null,
    token,
    isHeld,
    questionedBy: standing.questionedBy,
    isRefunded: arrived.length > 0 && left <= 0n && row?.state !== 'used',
    isTooLittle: left < LEAST_PRICE_MICROS,
  };
}

function describeArrived({ credit, mint, decimals, refundedRaw, leftRaw }: Arrived) {
  return {
    token: credit.token,
    mint,
    amount: toJsonNumber(credit.amountRaw, decimals),
    amount_raw: credit.amountRaw.toString(),
    refunded_raw: refundedRaw.toString(),
    left_raw: leftRaw.toString(),
  };
}

function describeRefund(one: LedgerRefund, arrived: readonly Arrived[]) {
  const decimals =
    arrived.find(({ credit }) => credit.token === one.token)?.decimals ?? USDC_DECIMALS;
  return {
    signature: one.refundSignature,
    token: one.token,
    amount: toJsonNumber(one.amountRaw, decimals),
    amount_raw: one.amountRaw.toString(),
    recorded_at: one.recordedAt.toISOString(),
  };
}

/** The last of the refunds that returned all of it. */
function wholeRefund(state: PaymentBody['state'], refunds: readonly LedgerRefund[]): string | null {
  return state === 'refunded' ? (refunds.at(-1)?.refundSignature ?? null) : null;
}

function soleOf(payers: readonly string[]): string | null {
  return payers.length === 1 ? (payers[0] ?? null) : null;
}

/** The facts about a payment that decide its state. */
export type Seen = {
  /** State of its row; null for one that nobody presented. */
  row: string | null;
  /** The reason for the state of its row, as a stable word. */
  reason: string | null;
  token: string;
  isHeld: boolean;
  /** A transaction that may be its refund and is not recorded as anything. */
  questionedBy: string | null;
  /** Whether nothing is left of it, and it bought nothing. */
  isRefunded: boolean;
  /** Whether the rest of it is below the smallest price. */
  isTooLittle: boolean;
};

type State = PaymentBody['state'];

/** The state of a payment as one word, and as a text that says what its payer can do. */
function describeState(seen: Seen): { state: State; message: string } {
  const state = stateOf(seen);
  return { state, message: messageOf(state, seen) };
}

function stateOf({ row, isHeld, isRefunded, questionedBy }: Seen): State {
  if (row === 'used' || row === 'failed' || row === 'refunded') return row;
  if (row !== null && row !== 'unused') return 'in_progress';
  if (isRefunded) return 'refunded';
  if (isHeld || questionedBy !== null) return 'in_progress';
  return row === null ? 'received' : 'unused';
}

function messageOf(state: State, seen: Seen): string {
  switch (state) {
    case 'used':
      return 'The payment bought the document that `bought` names. A surplus buys nothing. Its payer may ask the operator for a refund.';
    case 'failed':
      return seen.reason === 'closed_on_record' ? CLOSED : FAILED;
    case 'refunded':
      return 'The payment was refunded in the transactions that `refunds` lists.';
    case 'in_progress':
      return progressOf(seen);
    case 'unused':
      return seen.isTooLittle ? tooLittle() : UNUSED;
    case 'received':
      return receivedAs(seen);
  }
}

const UNUSED =
  'The payment has bought nothing. Until `usable_until` its payer may use it, with wallet headers, for one request of at most `left_raw`. Or the payer asks the operator for a refund.';

const FAILED = 'The payment did not land, so nobody was charged.';
const CLOSED =
  'The operator closed this payment, because no Solana node shows it. If it is on chain after all, a daily check makes it usable again for 7 days. You can also present it with the request that it pays for.';
const SENT =
  'The payment was sent, and it may have landed or may still land. Do not pay again. Repeat the request that it pays for, with the same payment. If the Solana nodes cannot prove for long that it did not land, the operator gets an alert.';

function progressOf({ row, isHeld, questionedBy }: Seen): string {
  if (row === 'sent') return SENT;
  if (isHeld) return 'The operator has reserved the payment for a refund, so it buys nothing.';
  if (questionedBy !== null)
    return `The transaction ${questionedBy} sent money from the paid wallet to the payer after this payment. It buys nothing until the operator has recorded whether that was its refund.`;
  return 'The payment is being settled, used or refunded. Send the request that it pays for again in a few seconds.';
}

function receivedAs({ token, isTooLittle }: Seen): string {
  if (token !== 'USDC')
    return `The payment arrived in ${token}, and only USDC buys something. It stays its payer's, who may ask the operator for a refund.`;
  if (isTooLittle) return tooLittle();
  return 'The payment arrived and was not presented. Send it in X-Payment with the request that it pays for, or ask the operator for a refund.';
}

function tooLittle(): string {
  const least = toDecimal(LEAST_PRICE_MICROS, USDC_DECIMALS);
  return `The rest of the payment is below the smallest price, ${least} USDC, so it buys nothing. Payments are not added up. Pay the whole price in one payment, with the same memo while its quote is open. Ask the operator for a refund of this one.`;
}

/** All prices, the wallet to pay, and whether payments are open now. */
export async function readPricing({ service }: Call<null>): Promise<PricingBody> {
  const { env } = service;
  const names = paymentNetwork(env.network);
  const state = await paidRoutesState();
  const notSettled = state.open ? (state.notSettled ?? null) : state.reason;
  return {
    success: true,
    network: names.caip2,
    asset: 'USDC',
    asset_mint: names.usdcMint,
    pay_to: env.payTo,
    fee_payer: feePayer(),
    largest_price: toJsonNumber(LARGEST_PRICE_MICROS, USDC_DECIMALS),
    largest_price_raw: LARGEST_PRICE_MICROS.toString(),
    open: state.open,
    reason: state.open ? null : state.reason,
    x402_open: notSettled === null,
    x402_reason: notSettled,
    routes: PRICE_LIST.map(({ method, path, leastMicros, mostMicros, rule }) => ({
      method,
      path,
      least_price: toJsonNumber(leastMicros, USDC_DECIMALS),
      least_price_raw: leastMicros.toString(),
      most_price: toJsonNumber(mostMicros, USDC_DECIMALS),
      most_price_raw: mostMicros.toString(),
      rule,
    })),
  };
}
