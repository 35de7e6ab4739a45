import { answerProbe, type PricedPath } from '@/server/use-cases/payments/answer-probe';
import { callOf } from './request-context';
import { procedure } from './trpc';

/**
 * A procedure that costs money. Asked with an empty input and without a payment, it answers its price range. A payment
 * with an empty input is refused as a malformed request, like every other invalid input.
 */
export function pricedProcedure(path: PricedPath) {
  return procedure.use(async ({ ctx, getRawInput, next }) => {
    const { paymentSignature, xPayment } = ctx.payment;
    const isPaid = paymentSignature !== null || xPayment !== null;
    if (!isPaid && isEmpty(await getRawInput())) throw await answerProbe(callOf(ctx, null), path);
    return next();
  });
}

function isEmpty(input: unknown): boolean {
  if (input === undefined) return true;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  return Object.keys(input).length === 0;
}
