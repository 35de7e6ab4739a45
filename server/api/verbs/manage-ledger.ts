import { ServiceError } from '@/server/errors';
import { toDecimal } from '@quittance/verify/money';
import { ledgerState } from '@/server/payments/ledger/ledger-state';
import { noteTransaction } from '@/server/payments/ledger/note-transactions';
import { reconcile, type Books } from '@/server/payments/ledger/reconcile';
import { recordWithdrawal } from '@/server/payments/ledger/record-withdrawal';
import { scanLedger } from '@/server/payments/ledger/scan-ledger';
import { listUnexplained, type Unexplained } from '@/server/payments/ledger/unexplained';
import type { AdminContext } from '../admin-context';
import type { ReconciliationBody, WithdrawalBody, WithdrawalInput } from '../payment-schemas';
import { plainRow } from '../plain-row';
import type { RequestContext } from '../request-context';

/** An operator waits for the answer; what is left is for the scheduled scan. */
const SCAN_MS = 20_000;

/**
 * Puts on record that what left PAY_TO in a transaction was taken out by the operator. Then it is no difference
 * in the books, and payments that it might have been the refund of buy again.
 */
export async function withdraw(
  { service, actor }: AdminContext,
  { signature, note }: WithdrawalInput,
): Promise<WithdrawalBody> {
  await noteTransaction(service, signature);
  const recorded = await recordWithdrawal(service.db, {
    signature,
    note: note ?? null,
    actor,
  });
  if (recorded === 'is_refund')
    throw conflict(`the transaction ${signature} is on record as a refund`);
  if (recorded === 'nothing_left')
    throw new ServiceError(
      'refund_invalid',
      `The withdrawal was not recorded: no final transaction ${signature} took money from PAY_TO.`,
    );
  const entries = await noteTransaction(service, signature);
  return { success: true, signature, entries: entries.map(plainRow) };
}

/** Reads the chain now, closes the books of the day and tells them, with what the operator has to explain. */
export async function readReconciliation({ service }: RequestContext): Promise<ReconciliationBody> {
  const { db } = service;
  await scanLedger(service, { mostMs: SCAN_MS });
  const books = await reconcile(db);
  const [unexplained, state] = await Promise.all([listUnexplained(db), ledgerState(db)]);
  return {
    success: true,
    agrees: books.every(
      (one) => one.difference === 0n && one.unexplained === 0n && one.unbacked === 0n,
    ),
    tokens: books.map(describeBooks),
    unexplained: unexplained.map(describeUnexplained),
    other_mints: state.otherMints,
  };
}

function describeBooks(one: Books): ReconciliationBody['tokens'][number] {
  const text = (raw: bigint): string => toDecimal(raw, one.decimals);
  return {
    token: one.token,
    asset: one.asset,
    came_in: text(one.cameIn),
    bought: text(one.bought),
    refunded: text(one.refunded),
    unused: text(one.unused),
    withdrawn: text(one.withdrawn),
    costs: text(one.costs),
    internal: text(one.internal),
    unexplained: text(one.unexplained),
    unbacked: text(one.unbacked),
    balance: text(one.balance),
    difference: text(one.difference),
  };
}

function describeUnexplained(one: Unexplained): ReconciliationBody['unexplained'][number] {
  return {
    signature: one.signature,
    wallet: one.wallet,
    token: one.token,
    amount: toDecimal(one.amountRaw, one.decimals),
    to: one.to,
    block_time: one.blockTime.toISOString(),
    may_refund: one.mayRefund,
  };
}

function conflict(why: string): ServiceError {
  return new ServiceError('refund_conflict', `The withdrawal was not recorded: ${why}.`);
}
