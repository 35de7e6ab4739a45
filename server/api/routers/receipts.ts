import { callOf, orderOf } from '../request-context';
import { z } from 'zod';
import { findReceipt } from '@/server/receipts/find-receipt';
import { proofDocument } from '@quittance/verify/receipts/proof-document';
import { presentReceipt } from '@/server/use-cases/receipts/present-receipt';
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
} from '@/server/use-cases/receipts/schemas';
import { pricedProcedure } from '../priced-procedure';
import { procedure, router } from '../trpc';
import { calculateValue, verifyTransaction } from '@/server/use-cases/receipts/preview-transaction';
import { createReceipt } from '@/server/use-cases/receipts/create-receipt';
import { readMintStatus } from '@/server/use-cases/receipts/mint-status';
import { readProof } from '@/server/use-cases/receipts/read-proof';

const byId = z.strictObject({ receipt_id: z.string() });

export const receiptsRouter = router({
  create: pricedProcedure('/mint')
    .input(mintInput)
    .output(mintOutcome)
    .mutation(({ ctx, input }) => createReceipt(callOf(ctx, orderOf(ctx, input)))),
  find: procedure
    .input(byId)
    .output(receiptBody)
    .query(async ({ ctx, input }) =>
      presentReceipt(await findReceipt(ctx.service.db, input.receipt_id), ctx.service.env),
    ),
  proof: procedure
    .input(byId)
    .output(proofDocument)
    .query(({ ctx, input }) => readProof(callOf(ctx, input))),
  status: procedure
    .input(mintStatusInput)
    .output(mintStatusBody)
    .query(({ ctx, input }) => readMintStatus(callOf(ctx, input))),
  calculate: procedure
    .input(calculateInput)
    .output(calculateBody)
    .query(({ ctx, input }) => calculateValue(callOf(ctx, input))),
  verifyTransaction: procedure
    .input(z.strictObject({ tx_signature: txSignature }))
    .output(verifyBody)
    .query(({ ctx, input }) => verifyTransaction(callOf(ctx, input))),
});
