import type { Payment } from '@/generated/prisma/client';
import { readTransfer } from '@quittance/verify/chain/read-transfer';
import type { TransactionReading } from '@quittance/verify/chain/transfer';
import { AGREEING_NODES, shownAlike } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { databaseNow } from '@/server/db/database-clock';
import { ServiceError } from '@/server/errors';
import { toDecimal } from '@quittance/verify/money';
import { holdPayment } from '@/server/payments/hold-payment';
import { partiesOf } from '@/server/payments/ledger/entries';
import { type Arrived, findArrived, settlePayers } from '@/server/payments/ledger/find-arrived';
import { noteTransaction, requireDebitsShown } from '@/server/payments/ledger/note-transactions';
import { recordRefund, type Recorded } from '@/server/payments/record-refund';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { findKnown } from './look-for-payment';
import type { PaymentBody, RefundInput } from './schemas';

import { readPayment, requirePayment, type KnownPayment } from './read-payment';
import type { Call, OperatorActor } from '../call';

/**
 * Sets a payment aside for its refund or releases it (`hold`), or records a refund that the chain
 * shows. The refund must be final, later than the payment, in its token, to its payer, and at most
 * what is left of it. A payment that bought nothing can be refunded whole or in parts, presented or
 * not, in USDC, SOL or a token of the table. Of a payment that bought something, only the surplus
 * can be refunded. A repeat with the same two signatures gives the same answer.
 */
export async function refundPayment(call: Call<RefundInput, OperatorActor>): Promise<PaymentBody> {
  const {
    input: { payment_signature: signature, refund_signature: refundSignature, hold },
  } = call;
  // One that ended as failed is checked again, because it may have landed after all.
  await findKnown(call, { dialect: 'documented', signature });
  const known = await requirePayment(call.service, signature);
  if (refundSignature === undefined)
    await setAside(call, { known, signature, isHeld: hold ?? false });
  else await record(call, { known, signature, refundSignature });
  return readPayment({ ...call, input: { signature } });
}

async function setAside(
  call: Call<unknown, OperatorActor>,
  o: { known: KnownPayment; signature: string; isHeld: boolean },
): Promise<void> {
  const { db } = call.service;
  const { row } = o.known;
  const wish = {
    id: row?.id ?? null,
    signature: o.signature,
    isHeld: o.isHeld,
    actor: call.actor.name,
  };
  const isDone = await holdPayment(db, { ...wish, now: await databaseNow(db) });
  if (!isDone) throw conflict(row ? whyNot(row) : 'the payment is being used at this moment');
}

async function record(
  call: Call<unknown, OperatorActor>,
  o: { known: KnownPayment; signature: string; refundSignature: string },
): Promise<void> {
  const { db } = call.service;
  const { signature, refundSignature } = o;
  const { row } = o.known;
  const before = await db.ledgerRefund.findUnique({ where: { refundSignature } });
  if (before?.paymentSignature === signature) return;
  if (before) throw conflict(WHY_NOT.taken(refundSignature));
  // The chain is read again: a payment on record may have vanished before it was final.
  if ((await noteTransaction(call.service, signature)).length === 0)
    throw conflict(
      row?.state === 'sent' ? whyNot(row) : 'the chain does not show the payment itself',
    );
  const arrived = await findArrived(db, { signature, row });
  if (arrived.every(({ leftRaw }) => leftRaw <= 0n))
    throw conflict(`nothing is left of the payment${row ? `, which is ${row.state}` : ''}`);
  const settled = await settlePayers(call.service, { arrived, signature, row });
  const refund = await readRefund(call, { arrived: settled, refundSignature });
  const recorded = await recordRefund(db, {
    id: row?.id ?? null,
    refundSignature,
    amountMicros: refund.amount,
    from: refund.from,
    credit: refund.arrived.credit,
    isFromLedger: refund.isFromLedger,
    actor: call.actor.name,
    now: await databaseNow(db),
  });
  if (recorded !== 'recorded') throw conflict(WHY_NOT[recorded](refundSignature));
}

const WHY_NOT: Readonly<Record<Exclude<Recorded, 'recorded'>, (signature: string) => string>> = {
  taken: (signature) => `the transaction ${signature} is on record for another payment`,
  not_left: () => 'less than that is left of the payment',
  not_unused: () => 'the payment is being used at this moment',
  withdrawn: (signature) => `the transaction ${signature} is on record as a withdrawal`,
};

/** Why a payment that is not unused cannot be held or refunded, and what to do. */
function whyNot({ state, reason }: Pick<Payment, 'state' | 'reason'>): string {
  if (state === 'sent')
    return `the payment was sent and it is not proven yet whether it landed${reason === null ? '' : ` (${reason})`}. Repeat this when GET /payments says unused. If the nodes stay undecided, see npm run admin -- undecided`;
  return `the payment is ${state}`;
}

/** The amount that a transaction refunded, in the token of the payment. */
type Refund = { arrived: Arrived; amount: bigint; from: string; isFromLedger: boolean };

async function readRefund(
  call: Call,
  o: { arrived: readonly Arrived[]; refundSignature: string },
): Promise<Refund> {
  const refund = (await fromOurs(call, o)) ?? (await fromElsewhere(call, o));
  const { arrived, amount } = refund;
  const { token } = arrived.credit;
  if (amount > arrived.leftRaw)
    throw invalid(
      `it gives ${toDecimal(amount, arrived.decimals)} ${token}, and ${toDecimal(arrived.leftRaw, arrived.decimals)} ${token} of the payment are left`,
    );
  return refund;
}

/** The ledger's record of a refund that left a wallet of ours; null for one that did not. */
async function fromOurs(
  call: Call,
  o: { arrived: readonly Arrived[]; refundSignature: string },
): Promise<Refund | null> {
  const entries = await noteTransaction(call.service, o.refundSignature);
  const out = entries.filter(({ direction, parties }) => {
    return direction === 'out' && Array.isArray(parties) && parties.length > 0;
  });
  if (out.length === 0) return null;
  const entry = out.find((one) => o.arrived.some(({ credit }) => credit.token === one.token));
  const arrived = o.arrived.find(({ credit }) => credit.token === entry?.token);
  if (!entry || !arrived) throw invalid('it is in another token than the payment');
  await requireDebitsShown(call.service, { signature: o.refundSignature, entries: [entry] });
  const parties = partiesOf(entry);
  if (!parties.some(({ owner }) => arrived.payers.includes(owner)))
    throw invalid(`it does not go to the payer, ${arrived.payers.join(' or ')}`);
  // One record would also explain what the others got, and their payments would buy again.
  if (parties.length > 1)
    throw invalid('it pays several wallets, so send each refund in a transaction of its own');
  if (entry.slot < arrived.slot) throw invalid('it is older than the payment');
  // Of a token that withholds a fee the payer got less than we gave.
  const amount = entry.amountRaw - entry.costRaw;
  return { arrived, amount, from: entry.wallet, isFromLedger: true };
}

/** A refund that the operator made from another wallet than PAY_TO. */
async function fromElsewhere(
  { service: { env, rpc } }: Call,
  o: { arrived: readonly Arrived[]; refundSignature: string },
): Promise<Refund> {
  const { network } = env;
  const reading = await readAlike({ rpc, network, signature: o.refundSignature });
  if (!reading.ok) throw invalid(reading.detail);
  const { transfer } = reading;
  const symbol = tokenByMint(transfer.mint, env.network)?.symbol;
  const arrived = o.arrived.find(({ credit }) => credit.token === symbol);
  if (!arrived) throw invalid('it is in another token than the payment');
  if (!arrived.payers.includes(transfer.seller))
    throw invalid(`it does not go to the payer, ${arrived.payers.join(' or ')}`);
  if (transfer.slot < arrived.slot) throw invalid('it is older than the payment');
  if (transfer.finality !== 'finalized')
    throw invalid('it is not final yet, so send this again in half a minute');
  return { arrived, amount: transfer.amount, from: transfer.payer, isFromLedger: false };
}

/**
 * A transfer as two nodes (or the only one) show it. Throws NodesDiffer if nodes contradict each other, and
 * RpcUnavailable if too few answer.
 */
async function readAlike(o: Parameters<typeof readTransfer>[0] & { rpc: Rpc }) {
  const { rpc, signature } = o;
  if (rpc.nodes < AGREEING_NODES) return readTransfer(o);
  return shownAlike(rpc, {
    what: `the transaction ${signature}`,
    ask: (node) => readTransfer({ ...o, rpc: node }),
    contentOf: readingInText,
  });
}

function readingInText(reading: TransactionReading): string {
  if (!reading.ok) return reading.code;
  const { mint, amount, payer, seller, slot, finality } = reading.transfer;
  return [mint, amount, payer, seller, slot, finality].join(' ');
}

function invalid(why: string): ServiceError {
  return new ServiceError('refund_invalid', `The refund was not recorded: ${why}.`);
}

function conflict(why: string): ServiceError {
  return new ServiceError('refund_conflict', `The refund was not recorded: ${why}.`);
}
