import { type Payment, Prisma } from '@/generated/prisma/client';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { ServiceError } from '@/server/errors';
import { recordJurisdiction } from '@/server/jurisdiction/jurisdictions';
import type { Location } from '@/server/jurisdiction/locate-address';
import { spaceInTrees, type TreeSpace } from '@/server/nft/trees';
import { releaseClaim, usePayment } from '@/server/payments/claim-payment';
import {
  awaitOtherReceipt,
  findReceiptOfTransaction,
  type ReceiptWithMint,
} from '@/server/receipts/find-receipt';
import {
  type FreeMintOrder,
  type FreeMintWish,
  refuseSpentBudget,
  takeFreeMint,
  usedBudget,
  type UsedBudget,
} from '@/server/receipts/free-budget';
import {
  releaseReservation,
  type ReservedTransaction,
  reserveTransaction,
} from '@/server/receipts/reserve-transaction';
import type { ValuedTransfer } from '@/server/receipts/value-transfer';
import {
  type PreparedReceipt,
  prepareReceipt,
  type ReportedBy,
  writeReceipt,
} from '@/server/receipts/write-receipt';
import { clientKey } from '../charge-limits';
import type { Taken } from '../payments/purchase';
import { inProgress } from '../payments/refuse-payment';
import type { MintCreatedBody, MintInput } from './schemas';
import type { Call } from '../call';

type Order = {
  input: MintInput;
  valued: ValuedTransfer;
  reportedBy: ReportedBy;
  /** Whether the payer proved to be the caller. */
  isPayerCalling: boolean;
  /** Where the payer called from; null unless the payer proved to be the caller. */
  location: Location | null;
};
type Written = { body: MintCreatedBody } | { exists: ReceiptWithMint };

/** Reserves and writes a free receipt, or gives the one that another request wrote meanwhile. */
export async function writeFreeReceipt(call: Call, order: Order): Promise<Written> {
  const { service } = call;
  const txSignature = order.input.tx_signature;
  const budget = await requireFreeRoom(service, freeWish(call, order));
  const reserved = await reserveTransaction(service.db, {
    txSignature,
    holder: call.actor.id,
    now: service.clock.now(),
  });
  if (!reserved) {
    const other = await awaitOtherReceipt(service.db, txSignature);
    if (other) return { exists: other };
    throw inProgress();
  }
  const overtaken = inProgress();
  let isGivenBack = false;
  try {
    const prepared = await prepare(call, order);
    const written = {
      prepared,
      reserved,
      paymentSignature: null,
      isAskedByPayer: order.isPayerCalling,
    };
    await service.db.$transaction(async (tx) => {
      // Thrown to roll back.
      if (!(await writeReceipt(tx, service, written))) throw overtaken;
      await writeLocation(tx, call, { prepared, location: order.location });
      await takeFreeMint(tx, budget);
    });
    isGivenBack = true;
    return { body: begin(call, prepared, { paid: false }) };
  } catch (error) {
    // Another request finished between our read and our reservation. This is rare, so we do not read twice.
    const finished =
      error === overtaken && (await findReceiptOfTransaction(service.db, txSignature));
    if (finished) return { exists: finished };
    throw error;
  } finally {
    // Written with the receipt; without one, the next request need not wait for the lease to end.
    if (!isGivenBack) await releaseReservation(service.db, reserved).catch(() => false);
  }
}

/**
 * Writes a receipt whose payment is claimed and whose transaction is reserved: receipt, mint and payment in
 * one database transaction. When that fails, the payment stays its payer's.
 */
export async function writePaidReceipt(
  call: Call,
  o: Order & { taken: Extract<Taken<ReservedTransaction>, { state: 'paid' }> },
): Promise<{ body: MintCreatedBody; payment: Pick<Payment, 'dialect' | 'signature' | 'payer'> }> {
  const { service } = call;
  const { claim, reserved, signature, payer } = o.taken;
  let isWritten = false;
  try {
    const prepared = await prepare(call, o);
    const body = bodyOf(prepared);
    const written = {
      prepared,
      reserved,
      paymentSignature: signature,
      isAskedByPayer: o.isPayerCalling,
    };
    await service.db.$transaction(async (tx) => {
      const subjectId = prepared.facts.receiptId;
      // Payment before reservation, the order of every claim. In the other order, this request and
      // one that comes when the lease has ended would wait for each other.
      const isOurs =
        (await usePayment(tx, claim, { subjectId, answer: body, now: service.clock.now() })) &&
        (await writeReceipt(tx, service, written));
      // Thrown to roll back: the lease ran out, and another request took over.
      if (!isOurs) throw inProgress();
      await writeLocation(tx, call, { prepared, location: o.location });
    });
    isWritten = true;
    return {
      body: begin(call, prepared, { paid: true }),
      payment: { dialect: claim.payment.dialect, signature, payer },
    };
  } finally {
    if (!isWritten) {
      const reason = 'not_written';
      await releaseClaim(service.db, claim, { reason, now: service.clock.now() }).catch(() => null);
      await releaseReservation(service.db, reserved).catch(() => false);
    }
  }
}

function freeWish(call: Call, { valued, reportedBy }: Order): FreeMintWish {
  const { payer, seller } = valued.transfer;
  return {
    wallet: reportedBy === 'seller' ? seller : payer,
    payer,
    seller,
    client: clientKey(call),
    usdMicros: valued.usdMicros,
  };
}

function prepare(call: Call, { input, valued, reportedBy }: Order) {
  return prepareReceipt(call.service, {
    valued,
    reportedBy,
    labels: {
      serviceType: input.service_type,
      transactionType: input.transaction_type ?? null,
      invoiceId: input.invoice_id ?? null,
    },
  });
}

/** The only place where a receipt and a country meet: in the transaction that writes both. */
async function writeLocation(
  tx: Db,
  { service }: Call,
  { prepared, location }: { prepared: PreparedReceipt; location: Location | null },
): Promise<void> {
  if (!location) return;
  await recordJurisdiction(tx, { subject: prepared.facts, location, now: service.clock.now() });
}

/** Not awaited: the sweep makes up for an event that is lost. */
function begin(
  { service }: Call,
  prepared: PreparedReceipt,
  { paid }: { paid: boolean },
): MintCreatedBody {
  void service.jobs.startMint({ id: prepared.facts.receiptId, paid }, 0);
  return bodyOf(prepared);
}

function bodyOf({ facts, metadataUri }: PreparedReceipt): MintCreatedBody {
  return {
    success: true,
    receipt_id: facts.receiptId,
    metadata_uri: metadataUri,
    asset_name: facts.token,
    dtif_code: facts.dtifCode,
    mint_status: 'pending',
    message: PENDING_MESSAGE,
  };
}

const PENDING_MESSAGE =
  'The receipt is written. Its NFT is being minted: see /mint/status/{receipt_id}.';

/** Mints that are written and take a leaf as soon as their turn comes. */
const promisedLeaves = Prisma.sql`
  select count(*) from mints
  where status = 'pending' and not exists (
    select 1 from mint_attempts
    where mint_id = mints.id and (outcome is null or outcome = 'landed'))`;

/**
 * Throws 429 when the day's free receipts are spent, before any work is done. Throws 503 when the
 * space in the trees is reserved for paid ones. Returns the input of `takeFreeMint`, which is
 * called with the receipt.
 */
export async function requireFreeRoom(
  { db, env, clock }: Pick<ServiceContext, 'db' | 'env' | 'clock'>,
  wish: FreeMintWish,
): Promise<FreeMintOrder> {
  const order = { wish, limits: env.limits, now: clock.now() };
  const owner = { network: env.network, minter: env.minter.publicKey };
  const [found] = await db.$queryRaw<
    (TreeSpace & { used: UsedBudget; promised: bigint })[]
  >(Prisma.sql`
    select space.*, (${promisedLeaves}) as promised, ${usedBudget(order)} as used
    from (${spaceInTrees(owner)}) as space`);
  refuseSpentBudget(found?.used ?? {}, order);
  // The last tenth of the space in the trees is for paid receipts.
  if (found && (found.left - found.promised) * 10n > found.capacity) return order;
  throw new ServiceError(
    'free_mints_unavailable',
    'The remaining space for receipts is reserved for paid ones. Please try again later.',
    { retryAfterS: 600 },
  );
}
