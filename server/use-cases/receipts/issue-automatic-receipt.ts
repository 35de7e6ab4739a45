import type { Registration } from '@/generated/prisma/client';
import type { TransferReading } from '@quittance/verify/chain/transfer';
import { readPricedOnce } from '@/server/rates/price-readings';
import type { ServiceContext } from '@/server/context';
import { ServiceError } from '@/server/errors';
import { priceReceipt } from '@/server/payments/prices';
import { findReceiptOfTransaction } from '@/server/receipts/find-receipt';
import { takeFreeMint } from '@/server/receipts/free-budget';
import { prepareReceipt, writeReceipt } from '@/server/receipts/write-receipt';
import { releaseReservation, reserveTransaction } from '@/server/receipts/reserve-transaction';
import { valueTransfer, type ValuedTransfer } from '@/server/receipts/value-transfer';
import {
  findRegistration,
  markFeeDue,
  markReceipted,
  skipTransfer,
} from '@/server/registrations/registrations';
import { requireFreeRoom } from './write-requested-receipt';

/** Smallest transfer that gets an automatic receipt, in micro-USD: 0.01 USD. */
const SMALLEST_MICROS = 10_000n;

/** `wait`: not to be judged yet, why, and until when if that is known. `unknown`: no node knows it. */
export type Issued =
  { state: 'done' | 'unknown' } | { state: 'wait'; reason: string; until?: Date };

/**
 * Decides once about a noted transaction: its receipt, `fee due`, or why it gets none. The receipt is
 * written in one database transaction with the note of it. Throws RpcUnavailable.
 */
export async function issueAutomaticReceipt(
  service: ServiceContext,
  o: { txSignature: string; holder: string },
): Promise<Issued> {
  const { db, clock } = service;
  const { txSignature } = o;
  const skip = async (reason: string): Promise<Issued> => {
    await skipTransfer(db, { txSignature, reason, now: clock.now() });
    return { state: 'done' };
  };
  const reading = await readOrWait(service, txSignature);
  if ('wait' in reading) return { state: 'wait', reason: reading.wait };
  if (!reading.ok)
    return reading.code === 'transaction_not_found' ? { state: 'unknown' } : skip(reading.code);
  const { transfer } = reading;
  if (transfer.finality !== 'finalized') return { state: 'wait', reason: 'not final yet' };
  const registration = await findRegistration(db, transfer.seller);
  if (!registration || transfer.slot < registration.fromSlot) return skip('not_registered');
  const valued = await valueOrReason(service, transfer);
  if ('wait' in valued) return { state: 'wait', reason: valued.wait };
  if ('skip' in valued) return skip(valued.skip);
  if (valued.usdMicros < SMALLEST_MICROS) return skip('below_smallest');
  if (priceReceipt(valued.usdMicros) > 0n) {
    const existing = await findReceiptOfTransaction(db, txSignature);
    if (!existing) {
      await markFeeDue(db, { valued, now: clock.now() });
      return { state: 'done' };
    }
  }
  return write(service, { ...o, registration, valued, from: 'noted', isWaived: false });
}

/** Writes the receipt of a transfer whose fee is waived. */
export async function waiveFee(
  service: ServiceContext,
  o: { txSignature: string; holder: string },
): Promise<Issued> {
  const reading = await readOrWait(service, o.txSignature);
  if ('wait' in reading) return { state: 'wait', reason: reading.wait };
  const registration = reading.ok && (await findRegistration(service.db, reading.transfer.seller));
  if (!registration) return { state: 'wait', reason: 'not registered' };
  const valued = await valueOrReason(service, reading.transfer);
  if ('wait' in valued) return { state: 'wait', reason: valued.wait };
  if ('skip' in valued) return { state: 'wait', reason: valued.skip };
  return write(service, { ...o, registration, valued, from: 'fee_due', isWaived: true });
}

/** If a price must choose the transfer and none is available, it is tried again. */
async function readOrWait(
  service: ServiceContext,
  txSignature: string,
): Promise<TransferReading | { wait: string }> {
  try {
    return await readPricedOnce(service, txSignature);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 503) return { wait: error.code };
    throw error;
  }
}

async function valueOrReason(
  service: ServiceContext,
  transfer: ValuedTransfer['transfer'],
): Promise<ValuedTransfer | { wait: string } | { skip: string }> {
  try {
    return await valueTransfer(service, transfer);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.status === 503 ? { wait: error.code } : { skip: error.code };
  }
}

async function write(
  service: ServiceContext,
  o: {
    txSignature: string;
    holder: string;
    registration: Registration;
    valued: ValuedTransfer;
    from: 'noted' | 'fee_due';
    isWaived: boolean;
  },
): Promise<Issued> {
  const { db, clock } = service;
  const { txSignature, holder, valued, from, isWaived } = o;
  const reserved = await reserveTransaction(db, { txSignature, holder, now: clock.now() });
  if (!reserved) return { state: 'wait', reason: 'another request is working on it' };
  let isGivenBack = false;
  try {
    const existing = await findReceiptOfTransaction(db, txSignature);
    if (existing) {
      const receiptId = existing.receipt.id;
      await markReceipted(db, { valued, receiptId, from, isWaived: false, now: clock.now() });
      return { state: 'done' };
    }
    const { payer, seller } = valued.transfer;
    const budget = await requireFreeRoom(service, {
      wallet: seller,
      payer,
      seller,
      client: null,
      isAutomatic: true,
      usdMicros: valued.usdMicros,
    });
    const { serviceType } = o.registration;
    const prepared = await prepareReceipt(service, {
      valued,
      reportedBy: 'seller',
      labels: { serviceType, transactionType: null, invoiceId: null },
    });
    const { receiptId } = prepared.facts;
    isGivenBack = await db.$transaction(async (tx) => {
      const paper = { prepared, reserved, paymentSignature: null, isAutomatic: true };
      const isOurs =
        (await writeReceipt(tx, service, paper)) &&
        (await markReceipted(tx, { valued, receiptId, from, isWaived, now: clock.now() }));
      if (!isOurs) throw new TakenOver();
      await takeFreeMint(tx, budget);
      return true;
    });
    void service.jobs.startMint({ id: receiptId, paid: false }, 0);
    return { state: 'done' };
  } catch (error) {
    if (error instanceof TakenOver) return { state: 'wait', reason: 'another process took over' };
    // The day's free receipts are spent, or tree space is scarce: it is held, and written later.
    if (error instanceof ServiceError && error.retryAfterS !== null)
      return {
        state: 'wait',
        reason: error.code,
        until: new Date(clock.now().getTime() + error.retryAfterS * 1000),
      };
    throw error;
  } finally {
    if (!isGivenBack) await releaseReservation(db, reserved).catch(() => false);
  }
}

/** Thrown to roll back. */
class TakenOver extends Error {
  constructor() {
    super('taken over');
    this.name = 'TakenOver';
  }
}
