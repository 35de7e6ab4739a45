import type { LedgerRefund, Payment } from '@/generated/prisma/client';
import { databaseNow } from '@/server/db/database-time';
import { ServiceError } from '@/server/errors';
import { toJsonNumber, USDC_DECIMALS } from '@quittance/verify/money';
import { nameOperator } from '@/server/operator';
import { findPayment } from '@/server/payments/find-payment';
import { isHeldForRefund } from '@/server/payments/hold-payment';
import { UNUSED_AGE_MS } from '@/server/payments/judge-payment';
import { findArrived, type Arrived } from '@/server/payments/ledger/find-arrived';
import { noteTransaction } from '@/server/payments/ledger/note-transactions';
import { standingInLedger } from '@/server/payments/ledger/standing';
import { LEAST_PRICE_MICROS } from '@/server/payments/prices';
import type { PaymentBody } from '../payment-schemas';
import type { RequestContext } from '../request-context';
import { describeState, type Seen } from './describe-payment-state';

/** A payment as the service knows it: presented, or only arrived. */
export type KnownPayment = {
  row: Payment | null;
  /** What the transaction brought us, by token, USDC first. */
  arrived: Arrived[];
};

/** What became of a payment: nothing that the chain and the receipts do not show to everyone. */
export async function readPayment(
  { service }: RequestContext,
  { signature }: { signature: string },
): Promise<PaymentBody> {
  const known = await requirePayment(service, signature);
  const { row, arrived } = known;
  const [first] = arrived;
  const refunds = await service.db.ledgerRefund.findMany({
    where: { paymentSignature: signature },
    orderBy: [{ recordedAt: 'asc' }, { refundSignature: 'asc' }],
  });
  const seen = await lookAtState(service, { ...known, signature });
  const { state, message } = describeState(seen);
  // A price stands for something bought; of a payment that bought nothing, all is the payer's.
  const price = state === 'used' ? (row?.priceMicros ?? null) : null;
  const amountRaw = first?.credit.amountRaw ?? row?.amountMicros ?? null;
  const decimals = first?.decimals ?? USDC_DECIMALS;
  const blockTime = row?.blockTime ?? first?.blockTime ?? null;
  const slot = row?.slot ?? first?.slot ?? null;
  const mayBuy = state === 'unused' && !seen.isTooLittle;
  // Of a payment that we settled, the block came seconds after its row.
  const usableFrom = row?.blockTime ?? row?.createdAt ?? null;
  return {
    success: true,
    signature,
    state,
    message: nameOperator(message, service.env.operator),
    dialect: row?.dialect ?? 'none',
    payer: row?.payer ?? soleOf(first?.payers ?? []),
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
 * What the service knows of a payment under a signature, presented or not. One that arrived since the last scan
 * is noted now. Throws 404 when nothing of it arrived.
 */
export async function requirePayment(
  service: RequestContext['service'],
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
    `No payment ${signature} was presented to this service, and no final transaction with this signature brought it USDC, SOL or another token of its table. Send a payment with the request that it pays for; one made just now is on record once it is final.`,
  );
}

async function lookAtState(
  { db }: RequestContext['service'],
  { row, arrived, signature }: KnownPayment & { signature: string },
): Promise<Seen> {
  const [first] = arrived;
  const token = first?.credit.token ?? 'USDC';
  const mayBuy = token === 'USDC' && row?.state !== 'used';
  const payer = row?.payer ?? first?.payers[0] ?? null;
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

/** The last of the refunds that gave all of it back. */
function wholeRefund(state: PaymentBody['state'], refunds: readonly LedgerRefund[]): string | null {
  return state === 'refunded' ? (refunds.at(-1)?.refundSignature ?? null) : null;
}

function soleOf(payers: readonly string[]): string | null {
  return payers.length === 1 ? (payers[0] ?? null) : null;
}
