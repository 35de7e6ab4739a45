import { sendMint } from '@/server/jobs/send-mint';
import { ServiceError } from '@/server/errors';
import { toDecimal } from '@/server/money';
import { retryMint } from '@/server/nft/retry-mint';
import { awaitMint } from '@/server/receipts/await-mint';
import { findReceiptOfTransaction, type ReceiptWithMint } from '@/server/receipts/find-receipt';
import { prepareReceipt, type ReportedBy } from '@/server/receipts/prepare-receipt';
import { priceReceipt } from '@/server/receipts/price-receipt';
import {
  releaseReservation,
  reserveTransaction,
  type ReservedTransaction,
} from '@/server/receipts/reserve-transaction';
import { readValuedTransfer, type ValuedTransfer } from '@/server/receipts/value-transfer';
import { writeReceipt } from '@/server/receipts/write-receipt';
import { awaitOtherReceipt } from '@/server/receipts/await-other-receipt';
import {
  proofText,
  readWalletProof,
  walletProofNeeded,
  type ProvenWallet,
} from '../guards/wallet-proof';
import { mintStatusOf } from '../present';
import type { RequestContext } from '../request-context';
import type { MintInput, MintOutcome } from '../schemas';

/**
 * Makes the receipt of a transaction, or names the one that exists. The order of the checks is the
 * order of refusals that callers rely on: proof (401), transaction (400, 503), participant (403),
 * existing receipt (409), proof for a free receipt (401), price; then reserve and write.
 */
export async function createReceipt(ctx: RequestContext, input: MintInput): Promise<MintOutcome> {
  const { service } = ctx;
  const text = proofText(service.env.serviceName, input.tx_signature);
  const caller = readWalletProof(ctx.proof, text);

  const existing = await findReceiptOfTransaction(service.db, input.tx_signature);
  if (existing) {
    const role = participantRole(caller, existing.receipt);
    return alreadyExists(role === null ? existing : await retryFailedMint(ctx, existing));
  }
  const valued = await readValuedTransfer(service, { signature: input.tx_signature });
  const role = participantRole(caller, valued.transfer);
  const fee = priceReceipt(valued.usdMicros);
  if (fee > 0n)
    throw new ServiceError(
      'payments_unavailable',
      `A fee of ${toDecimal(fee, 6)} USDC is due for this transaction, and the service takes no payments at the moment. Nothing was charged.`,
      { retryAfterS: 3_600 },
    );
  if (role === null) throw walletProofNeeded(text);
  return reserveAndWrite(ctx, input, valued, role);
}

/**
 * A repeat by a participant sends a failed mint on its way again, at most once an hour; `failMint`
 * and every attempt leave the time of the failure in `updatedAt`.
 */
async function retryFailedMint(
  ctx: RequestContext,
  found: ReceiptWithMint,
): Promise<ReceiptWithMint> {
  const { db, clock } = ctx.service;
  const now = clock.now();
  const { mint, receipt } = found;
  if (mint.status !== 'failed' || now.getTime() - mint.updatedAt.getTime() < RETRY_SPACING_MS)
    return found;
  const retried = await retryMint(db, { id: mint.id, actor: 'participant', now });
  if (retried.state !== 'retried') return found;
  await sendMint(mint.id, retried.round);
  return { receipt, mint: { ...mint, status: 'pending' } };
}

const RETRY_SPACING_MS = 3_600_000;

/** `payer` or `seller` for a proven caller, null without one; throws 403 for anybody else. */
function participantRole(
  caller: ProvenWallet | null,
  parties: { payer: string; seller: string },
): ReportedBy | null {
  if (caller === null) return null;
  if (caller === parties.payer) return 'payer';
  if (caller === parties.seller) return 'seller';
  throw new ServiceError(
    'not_a_participant',
    `The wallet ${caller} is not involved in this transaction: it is neither its payer nor its seller.`,
    { details: { wallet: caller } },
  );
}

async function reserveAndWrite(
  ctx: RequestContext,
  input: MintInput,
  valued: ValuedTransfer,
  reportedBy: ReportedBy,
): Promise<MintOutcome> {
  const { service } = ctx;
  const reserved = await reserveTransaction(service.db, {
    txSignature: input.tx_signature,
    holder: ctx.requestId,
    now: service.clock.now(),
  });
  if (!reserved) {
    const other = await awaitOtherReceipt(service.db, input.tx_signature);
    if (other) return alreadyExists(other);
    throw new ServiceError(
      'in_progress',
      'Another request is writing the receipt of this transaction. Send the same request again in a moment.',
      { retryAfterS: 2 },
    );
  }
  const receipt = await write(ctx, input, valued, reportedBy, reserved);
  if ('outcome' in receipt) return receipt;
  // Not waited for: an event that is lost on its way is made up for by the sweep.
  void sendMint(receipt.receiptId, 0);
  return created(ctx, receipt);
}

type Written = { receiptId: string; metadataUri: string; token: string; dtifCode: string | null };

async function write(
  ctx: RequestContext,
  input: MintInput,
  valued: ValuedTransfer,
  reportedBy: ReportedBy,
  reserved: ReservedTransaction,
): Promise<Written | MintOutcome> {
  const { service } = ctx;
  let isGivenBack = false;
  try {
    // The one before us may have finished between our look and our reservation.
    const finished = await findReceiptOfTransaction(service.db, input.tx_signature);
    if (finished) return alreadyExists(finished);
    const prepared = await prepareReceipt(service, {
      valued,
      reportedBy,
      labels: {
        serviceType: input.service_type,
        transactionType: input.transaction_type ?? null,
        invoiceId: input.invoice_id ?? null,
      },
    });
    isGivenBack = await service.db.$transaction((tx) =>
      writeReceipt(tx, service, { prepared, reserved, paymentSignature: null }),
    );
    if (!isGivenBack)
      throw new ServiceError('in_progress', 'Another request took over. Send the request again.', {
        retryAfterS: 2,
      });
    const { facts, metadataUri } = prepared;
    return {
      receiptId: facts.receiptId,
      metadataUri,
      token: facts.token,
      dtifCode: facts.dtifCode,
    };
  } finally {
    // Written with the receipt; without one, the next request need not wait for the lease to end.
    if (!isGivenBack) await releaseReservation(service.db, reserved).catch(() => false);
  }
}

async function created(ctx: RequestContext, receipt: Written): Promise<MintOutcome> {
  const mint =
    ctx.waitS > 0
      ? await awaitMint(ctx.service.db, {
          id: receipt.receiptId,
          waitS: ctx.waitS,
          until: (row) => row.status !== 'pending',
        })
      : null;
  const status = mint ? mintStatusOf(mint) : 'pending';
  return {
    outcome: 'created',
    body: {
      success: true,
      receipt_id: receipt.receiptId,
      metadata_uri: receipt.metadataUri,
      ...(mint?.mintSignature ? { mint_signature: mint.mintSignature } : {}),
      asset_name: receipt.token,
      dtif_code: receipt.dtifCode,
      mint_status: status,
      message: MESSAGE[status],
    },
  };
}

const MESSAGE = {
  pending:
    'The receipt is written. Its proof on chain is being made: see /mint/status/{receipt_id}.',
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
