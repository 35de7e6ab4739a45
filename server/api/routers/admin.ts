import { callOfOperator } from '../request-context';
import type { AdminRole } from '@/server/admin-tokens';
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
  hideBody,
  hideInput,
  mintStoryBody,
  releaseBody,
  releaseInput,
  retryAllBody,
  retryBody,
  undecidedBody,
} from '@/server/use-cases/mints/schemas';
import { requireAdmin } from '../require-caller';
import {
  paymentBody,
  paymentInput,
  paymentStoryBody,
  reconciliationBody,
  refundInput,
  withdrawalBody,
  withdrawalInput,
} from '@/server/use-cases/payments/schemas';
import { procedure, router } from '../trpc';
import { closeUndecidedOnRecord, readUndecided } from '@/server/use-cases/payments/close-undecided';
import { forgetPayer } from '@/server/use-cases/receipts/payer-country';
import {
  readPaymentStory,
  readReconciliation,
  withdraw,
} from '@/server/use-cases/payments/manage-ledger';
import {
  hideWords,
  readHeld,
  readMints,
  readMintStory,
  releaseMints,
  retryFailedMints,
  retryOneMint,
} from '@/server/use-cases/mints/manage-mints';
import { refundPayment } from '@/server/use-cases/payments/refund-payment';

/** A procedure for operators with a role; use cases get the operator's name for the audit log. */
const forRole = (role: AdminRole) =>
  procedure.use(({ ctx, next }) => {
    const { actor: operator } = requireAdmin(ctx, role);
    return next({ ctx: { ...ctx, operator } });
  });
const reading = forRole('read');
const support = forRole('support');
const money = forRole('money');

export const adminRouter = router({
  mints: reading
    .input(adminMintsInput)
    .output(adminMintsBody)
    .query(({ ctx, input }) => readMints(callOfOperator(ctx, input))),
  mint: reading
    .input(adminMintInput)
    .output(mintStoryBody)
    .query(({ ctx, input }) => readMintStory(callOfOperator(ctx, input))),
  retry: support
    .input(adminMintInput)
    .output(retryBody)
    .mutation(({ ctx, input }) => retryOneMint(callOfOperator(ctx, input))),
  retryAll: support
    .output(retryAllBody)
    .mutation(({ ctx }) => retryFailedMints(callOfOperator(ctx, null))),
  held: reading
    .input(heldInput)
    .output(heldBody)
    .query(({ ctx, input }) => readHeld(callOfOperator(ctx, input))),
  release: support
    .input(releaseInput)
    .output(releaseBody)
    .mutation(({ ctx, input }) => releaseMints(callOfOperator(ctx, input))),
  undecided: reading
    .output(undecidedBody)
    .query(({ ctx }) => readUndecided(callOfOperator(ctx, null))),
  closeUndecided: money
    .input(closeUndecidedInput)
    .output(closeUndecidedBody)
    .mutation(({ ctx, input }) => closeUndecidedOnRecord(callOfOperator(ctx, input))),
  forget: support
    .input(forgetInput)
    .output(forgetBody)
    .mutation(({ ctx, input }) => forgetPayer(callOfOperator(ctx, input))),
  hide: support
    .input(hideInput)
    .output(hideBody)
    .mutation(({ ctx, input }) => hideWords(callOfOperator(ctx, input))),
  payment: reading
    .input(paymentInput)
    .output(paymentStoryBody)
    .query(({ ctx, input }) => readPaymentStory(callOfOperator(ctx, input))),
  refund: money
    .input(refundInput)
    .output(paymentBody)
    .mutation(({ ctx, input }) => refundPayment(callOfOperator(ctx, input))),
  withdraw: money
    .input(withdrawalInput)
    .output(withdrawalBody)
    .mutation(({ ctx, input }) => withdraw(callOfOperator(ctx, input))),
  reconcile: money
    .output(reconciliationBody)
    .mutation(({ ctx }) => readReconciliation(callOfOperator(ctx, null))),
});
