import { requireAdmin } from '../guards/admin';
import { paymentBody, paymentInput, paymentStoryBody, refundInput } from '../payment-schemas';
import { procedure, router } from '../trpc';
import { readPaymentStory } from '../verbs/read-payment-story';
import { refundPayment } from '../verbs/refund-payment';

const adminProcedure = procedure.use(({ ctx, next }) => {
  requireAdmin(ctx);
  return next();
});

export const adminRouter = router({
  payment: adminProcedure
    .input(paymentInput)
    .output(paymentStoryBody)
    .query(({ ctx, input }) => readPaymentStory(ctx, input)),
  refund: adminProcedure
    .input(refundInput)
    .output(paymentBody)
    .mutation(({ ctx, input }) => refundPayment(ctx, input)),
});
