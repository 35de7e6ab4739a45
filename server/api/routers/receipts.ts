import { z } from 'zod';
import { findReceipt } from '@/server/receipts/find-receipt';
import { proofDocument } from '@quittance/verify/receipts/proof-document';
import { presentReceipt } from '../present';
import {
  calculateBody,
  calculateInput,
  mintInput,
  mintOutcome,
  mintStatusBody,
  mintStatusInput,
  receiptBody,
  txSignature,
  verifyBody,
} from '../schemas';
import { procedure, router } from '../trpc';
import { calculateValue } from '../verbs/calculate-value';
import { createReceipt } from '../verbs/create-receipt';
import { readMintStatus } from '../verbs/read-mint-status';
import { readProof } from '../verbs/read-proof';
import { verifyTransaction } from '../verbs/verify-transaction';

const byId = z.strictObject({ receipt_id: z.string() });

export const receiptsRouter = router({
  create: procedure
    .input(mintInput)
    .output(mintOutcome)
    .mutation(({ ctx, input }) => createReceipt(ctx, input)),
  find: procedure
    .input(byId)
    .output(receiptBody)
    .query(async ({ ctx, input }) =>
      presentReceipt(await findReceipt(ctx.service.db, input.receipt_id), ctx.service.env),
    ),
  proof: procedure
    .input(byId)
    .output(proofDocument)
    .query(({ ctx, input }) => readProof(ctx, input)),
  status: procedure
    .input(mintStatusInput)
    .output(mintStatusBody)
    .query(({ ctx, input }) => readMintStatus(ctx, input)),
  calculate: procedure
    .input(calculateInput)
    .output(calculateBody)
    .query(({ ctx, input }) => calculateValue(ctx, input)),
  verifyTransaction: procedure
    .input(z.strictObject({ tx_signature: txSignature }))
    .output(verifyBody)
    .query(({ ctx, input }) => verifyTransaction(ctx, input)),
});
