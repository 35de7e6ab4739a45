import { paymentBody, paymentInput, pricingBody } from '../payment-schemas';
import { procedure, router } from '../trpc';
import { readPayment } from '../verbs/read-payment';
import { readPricing } from '../verbs/read-pricing';

export const paymentsRouter = router({
  pricing: procedure.output(pricingBody).query(({ ctx }) => readPricing(ctx)),
  find: procedure
    .input(paymentInput)
    .output(paymentBody)
    .query(({ ctx, input }) => readPayment(ctx, input)),
});
