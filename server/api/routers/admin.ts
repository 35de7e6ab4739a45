import {
  adminMintInput,
  adminMintsBody,
  adminMintsInput,
  closeUndecidedBody,
  closeUndecidedInput,
  forgetBody,
  forgetInput,
  heldBody,
  heldInput,
  mintStoryBody,
  releaseBody,
  releaseInput,
  retryAllBody,
  retryBody,
  undecidedBody,
} from '../admin-schemas';
import { requireAdmin } from '../guards/admin';
import {
  paymentBody,
  paymentInput,
  paymentStoryBody,
  reconciliationBody,
  refundInput,
  withdrawalBody,
  withdrawalInput,
} from '../payment-schemas';
import { procedure, router } from '../trpc';
import { closeUndecidedOnRecord, readUndecided } from '../verbs/close-undecided';
import { forgetPayer } from '../verbs/forget-payer';
import { readReconciliation, withdraw } from '../verbs/manage-ledger';
import {
  readHeld,
  readMints,
  readMintStory,
  releaseMints,
  retryFailedMints,
  retryOneMint,
} from '../verbs/manage-mints';
import { readPaymentStory } from '../verbs/read-payment-story';
import { refundPayment } from '../verbs/refund-payment';

const adminProcedure = procedure.use(({ ctx, next }) => {
  requireAdmin(ctx);
  return next();
});

export const adminRouter = router({
  mints: adminProcedure
    .input(adminMintsInput)
    .output(adminMintsBody)
    .query(({ ctx, input }) => readMints(ctx, input)),
  mint: adminProcedure
    .input(adminMintInput)
    .output(mintStoryBody)
    .query(({ ctx, input }) => readMintStory(ctx, input)),
  retry: adminProcedure
    .input(adminMintInput)
    .output(retryBody)
    .mutation(({ ctx, input }) => retryOneMint(ctx, input)),
  retryAll: adminProcedure.output(retryAllBody).mutation(({ ctx }) => retryFailedMints(ctx)),
  held: adminProcedure
    .input(heldInput)
    .output(heldBody)
    .query(({ ctx, input }) => readHeld(ctx, input)),
  release: adminProcedure
    .input(releaseInput)
    .output(releaseBody)
    .mutation(({ ctx, input }) => releaseMints(ctx, input)),
  undecided: adminProcedure.output(undecidedBody).query(({ ctx }) => readUndecided(ctx)),
  closeUndecided: adminProcedure
    .input(closeUndecidedInput)
    .output(closeUndecidedBody)
    .mutation(({ ctx, input }) => closeUndecidedOnRecord(ctx, input)),
  forget: adminProcedure
    .input(forgetInput)
    .output(forgetBody)
    .mutation(({ ctx, input }) => forgetPayer(ctx, input)),
  payment: adminProcedure
    .input(paymentInput)
    .output(paymentStoryBody)
    .query(({ ctx, input }) => readPaymentStory(ctx, input)),
  refund: adminProcedure
    .input(refundInput)
    .output(paymentBody)
    .mutation(({ ctx, input }) => refundPayment(ctx, input)),
  withdraw: adminProcedure
    .input(withdrawalInput)
    .output(withdrawalBody)
    .mutation(({ ctx, input }) => withdraw(ctx, input)),
  reconcile: adminProcedure
    .output(reconciliationBody)
    .mutation(({ ctx }) => readReconciliation(ctx)),
});
